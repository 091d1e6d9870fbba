#include <stdio.h>

int total(int count, int each) {
    int sum = (count + 1) * each;
    printf("%d\n", sum);
    return sum;
}
