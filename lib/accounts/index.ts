export { createAccount, signUp } from './create-account';
export { accountsExist, findAccountByEmail, getAccount, listAccounts } from './list-accounts';
export { authenticatePassword, verifyPassword } from './authenticate-password';
export {
  endSession,
  endSessions,
  forgetEndedSessions,
  resumeSession,
  type SessionClaim,
} from './browser-sessions';
export { findKnownDevice, rememberDevice, type KnownDevice } from './known-devices';
export { changePassword } from './change-password';
export { deleteAccount, purgeAccounts } from './delete-account';
