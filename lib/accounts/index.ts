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
export { forgetRateLimits } from './rate-limits';
export { changePassword } from './change-password';
export { isOperatorAddress, requireOperator } from './operators';
export { deleteAccount, purgeAccounts } from './delete-account';
