// RUN: incise run %s --sym-stdin 3
// EXPECT: paths=3 errors=0 complete=true exit=0
// A buffer takes all of a short input: the descriptor stands at its end, and seeking there does not move the stream.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int first = getchar();
    long place = lseek(0, 0, SEEK_CUR);
    int second = getchar();
    if (first == EOF) {
        return place == 0 ? 0 : 99;
    }
    printf("%ld %d\n", place, second == EOF);
    return second == 'b' ? 1 : 2;
}
