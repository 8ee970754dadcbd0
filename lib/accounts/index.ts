export { createAccount } from './create-account';
export { findAccountByEmail, listAccounts, type Account } from './list-accounts';
export { authenticatePassword, verifyPassword, type SignedIn } from './authenticate-password';
export { getAccount, resumeSession, type SessionClaim } from './get-account';
export { signUp } from './sign-up';
