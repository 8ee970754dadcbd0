export { createAccount } from './create-account';
export { findAccountByEmail, listAccounts } from './list-accounts';
export { authenticatePassword, verifyPassword } from './authenticate-password';
export {
  endSession,
  endSessions,
  forgetEndedSessions,
  resumeSession,
  type SessionClaim,
} from './browser-sessions';
export { getAccount } from './get-account';
export { findKnownDevice, rememberDevice, type KnownDevice } from './known-devices';
export { getUsage } from './get-usage';
export { signUp } from './sign-up';
export { changePassword } from './change-password';
export { deleteAccount } from './delete-account';
export { windUpAccounts } from './wind-up-accounts';
export { recordDelivered, type Delivered, type DeliveredBatch } from './record-delivered';
export { forgetOldDelivered } from './forget-delivered';
