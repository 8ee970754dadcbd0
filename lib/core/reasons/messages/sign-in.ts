/** Messages about rejected sign-ins, by code. Codes and parameters (in braces) are part of the API. */
export const signIn = {
  login_unavailable: 'Login is temporarily unavailable. Try again in a minute',
  login_expired: 'This login has expired. Enter your password again',
  too_many_logins: 'Too many attempts to log in. Try again in {count} {unit}',
} as const;
