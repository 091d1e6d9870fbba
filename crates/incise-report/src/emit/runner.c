
/* Runs the tests that are named, or all. */
int main(int argc, char **argv) {
    unsigned long count = sizeof incise_tests / sizeof *incise_tests, failed = 0, passed = 0, unchecked = 0;
    for (int word = 1; word < argc; word++) {
        unsigned long known = 0;
        while (known < count && strcmp(incise_tests[known]->name, argv[word]) != 0) known++;
        if (known == count) {
            fprintf(stderr, "there is no test %s\n", argv[word]);
            return 2;
        }
    }
    for (unsigned long i = 0; i < count; i++) {
        int wanted = argc == 1;
        for (int word = 1; word < argc; word++) wanted |= strcmp(incise_tests[i]->name, argv[word]) == 0;
        if (!wanted) continue;
        switch (incise_judge(incise_tests[i])) {
            case INCISE_PASSED:
                passed++;
                printf("PASS %s\n", incise_tests[i]->name);
                break;
            case INCISE_FAILED:
                failed++;
                printf("FAIL %s: %s\n", incise_tests[i]->name, incise_reason);
                break;
            case INCISE_NOT_CHECKED:
                unchecked++;
                printf("SKIP %s: %s\n", incise_tests[i]->name, incise_reason);
                break;
        }
    }
    printf("%lu passed, %lu failed, %lu not checked\n", passed, failed, unchecked);
    if (failed) return 1;
    return unchecked && !passed ? 77 : 0;
}
