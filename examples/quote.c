/* Writes a user's name in quotes, with a backslash before each character that needs one. */

struct user {
    char name[4];
    int id;
};

static int needs_backslash(char c) { return c == '"' || c == '\\'; }

int quote_name(const struct user *user) {
    char line[10];
    int length = 0;
    line[length++] = '"';
    for (int i = 0; i < 4 && user->name[i] != '\0'; i++) {
        if (needs_backslash(user->name[i])) {
            line[length++] = '\\';
        }
        line[length++] = user->name[i];
    }
    line[length++] = '"';
    line[length] = '\0';
    return length;
}
