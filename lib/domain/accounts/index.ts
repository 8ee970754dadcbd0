export { createAccount, insertAccount, signUp } from './create-account';
export { signInWithOidc } from './sign-in-with-oidc';
export {
  completeSignIn,
  findPendingSignIn,
  createPendingSignInToken,
  type PendingSignIn,
} from './second-step';
export { getFactors, mustSetUpFactor, resetFactors } from './factors/factors';
export { expireChallenges } from './factors/challenges';
export { createAssertionOptions, signInWithPasskey } from './factors/passkey-sign-in';
export { addPasskey, createPasskeyOptions, removePasskey } from './factors/passkeys';
export { createRecoveryCodes } from './factors/recovery-codes';
export { confirmTotp, removeTotp, startTotp } from './factors/totp';
export { accountsExist, findAccountByEmail, getAccount, listAccounts } from './list-accounts';
export { authenticatePassword, verifyPassword } from './authenticate-password';
export {
  endSession,
  endAllSessions,
  deleteExpiredSessions,
  resumeSession,
  type SessionClaim,
} from './browser-sessions';
export {
  endBrowserSession,
  listBrowserSessions,
  recordSession,
  type DatedSession,
} from './signed-in-devices';
export { findKnownDevice, rememberDevice, type KnownDevice } from './known-devices';
export { expireRateLimits } from './rate-limits';
export { changePassword } from './change-password';
export { changeEmail, confirmEmail } from './change-email';
export { createResetLink, requestPasswordReset, resetPassword } from './reset-password';
export { expireLinks } from './links';
export {
  decideSignUp,
  expireInvitations,
  inviteToSignUp,
  listInvitations,
  revokeInvitation,
} from './invitations';
export { isOperatorEmail, requireOperator } from './operators';
export { listManagedAccounts, removeAccount, setSuspended } from './manage-accounts';
export { deleteAccount, expireDeletedAccounts } from './delete-account';
export {
  inviteToTeam,
  joinTeam,
  listTeamInvitations,
  readTeamInvitation,
  revokeTeamInvitation,
} from './team-invitations';
