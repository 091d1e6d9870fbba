// What libgit2 is told about the machine, as a configuration script would.

#define GIT_ARCH_64 1
#define GIT_THREADS 1
#define GIT_SHA1_COLLISIONDETECT 1
#define GIT_SHA256_BUILTIN 1
#define GIT_REGEX_BUILTIN 1
#define GIT_IO_POLL 1
