#include <stdio.h>

int total(int count, int each) {
    int sum = count * each;
    printf("%d\n", sum);
    return sum;
}
