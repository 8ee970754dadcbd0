export { createAccount } from './create-account';
export { findAccountByEmail, listAccounts } from './list-accounts';
export { authenticatePassword, verifyPassword } from './authenticate-password';
export { getAccount, resumeSession, type SessionClaim } from './get-account';
export { signUp } from './sign-up';
