export { createAccount } from './create-account';
export { findAccountByEmail, listAccounts } from './list-accounts';
export { authenticatePassword, verifyPassword } from './authenticate-password';
export { getAccount, resumeSession, type SessionClaim } from './get-account';
export { getUsage } from './get-usage';
export { signUp } from './sign-up';
