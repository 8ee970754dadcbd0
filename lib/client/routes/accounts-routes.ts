import type * as accountContract from '@/lib/contract/accounts/account';
import type * as accountLinksContract from '@/lib/contract/accounts/account-links';
import type * as adminContract from '@/lib/contract/accounts/admin';
import type * as apiKeyContract from '@/lib/contract/accounts/api-key';
import type * as brandContract from '@/lib/contract/accounts/brand';
import type * as browserSessionContract from '@/lib/contract/accounts/browser-session';
import type * as invitationContract from '@/lib/contract/accounts/invitation';
import type * as overviewContract from '@/lib/contract/accounts/overview';
import type * as quotasContract from '@/lib/contract/accounts/quotas';
import type * as signInFactorsContract from '@/lib/contract/accounts/sign-in-factors';
import type * as usageContract from '@/lib/contract/accounts/usage';
import type { Route } from './route';

export const addPasskey: Route<typeof signInFactorsContract.addPasskey> = {
  method: 'POST',
  path: '/api/dashboard/account/passkeys',
  sendsBody: true,
};
export const changeEmail: Route<typeof accountLinksContract.changeEmail> = {
  method: 'POST',
  path: '/api/dashboard/account/email',
  sendsBody: true,
};
export const changePassword: Route<typeof accountContract.changePassword> = {
  method: 'POST',
  path: '/api/dashboard/account/password',
  sendsBody: true,
};
export const confirmEmail: Route<typeof accountLinksContract.confirmEmail> = {
  method: 'POST',
  path: '/api/dashboard/email-confirmation',
  sendsBody: true,
};
export const confirmTotp: Route<typeof signInFactorsContract.confirmTotp> = {
  method: 'POST',
  path: '/api/dashboard/account/totp',
  sendsBody: true,
};
export const createApiKey: Route<typeof apiKeyContract.createApiKey> = {
  method: 'POST',
  path: '/api/dashboard/api-keys',
  sendsBody: true,
};
export const createInvitation: Route<typeof invitationContract.createInvitation> = {
  method: 'POST',
  path: '/api/admin/invitations',
  sendsBody: true,
};
export const deleteAccount: Route<typeof accountContract.deleteAccount> = {
  method: 'POST',
  path: '/api/dashboard/account/delete',
  sendsBody: true,
};
export const deleteApiKey: Route<typeof apiKeyContract.deleteApiKey> = {
  method: 'DELETE',
  path: '/api/dashboard/api-keys/{id}',
};
export const deleteLogo: Route<typeof brandContract.deleteLogo> = {
  method: 'DELETE',
  path: '/api/user/brand/logo',
};
export const dismissProblem: Route<typeof overviewContract.dismissProblem> = {
  method: 'PUT',
  path: '/api/dashboard/attention',
  sendsBody: true,
};
export const endBrowserSession: Route<typeof browserSessionContract.endBrowserSession> = {
  method: 'DELETE',
  path: '/api/dashboard/account/sessions/{id}',
};
export const endSessions: Route<typeof accountContract.endSignInSessions> = {
  method: 'POST',
  path: '/api/dashboard/account/log-out-everywhere',
};
export const getAssetUsage: Route<typeof usageContract.getAssetUsage> = {
  method: 'GET',
  path: '/api/asset/{id}/usage',
};
export const getBrand: Route<typeof brandContract.getBrand> = { method: 'GET', path: '/api/user/brand' };
export const getFactors: Route<typeof signInFactorsContract.getSignInFactors> = {
  method: 'GET',
  path: '/api/dashboard/account/factors',
};
export const getMe: Route<typeof accountContract.getMe> = { method: 'GET', path: '/api/user/me' };
export const getOverview: Route<typeof overviewContract.getOverview> = {
  method: 'GET',
  path: '/api/user/overview',
};
export const getQuotas: Route<typeof quotasContract.getQuotas> = { method: 'GET', path: '/api/user/quotas' };
export const getServiceStorage: Route<typeof adminContract.getServiceStorage> = {
  method: 'GET',
  path: '/api/admin/storage',
};
export const getTeamQuotas: Route<typeof quotasContract.getTeamQuotas> = {
  method: 'GET',
  path: '/api/admin/teams/{id}/quotas',
};
export const getUsage: Route<typeof usageContract.getUsage> = { method: 'GET', path: '/api/user/usage' };
export const listAccounts: Route<typeof adminContract.listAccounts> = {
  method: 'GET',
  path: '/api/admin/accounts',
};
export const listApiKeys: Route<typeof apiKeyContract.listApiKeys> = {
  method: 'GET',
  path: '/api/dashboard/api-keys',
};
export const listAuditEntries: Route<typeof accountContract.listAuditEntries> = {
  method: 'GET',
  path: '/api/dashboard/audit',
};
export const listBrowserSessions: Route<typeof browserSessionContract.listBrowserSessions> = {
  method: 'GET',
  path: '/api/dashboard/account/sessions',
};
export const listInvitations: Route<typeof invitationContract.listInvitations> = {
  method: 'GET',
  path: '/api/admin/invitations',
};
export const listQueues: Route<typeof adminContract.listQueues> = {
  method: 'GET',
  path: '/api/admin/queues',
};
export const listSettings: Route<typeof adminContract.listSettings> = {
  method: 'GET',
  path: '/api/admin/settings',
};
export const newRecoveryCodes: Route<typeof signInFactorsContract.createRecoveryCodes> = {
  method: 'POST',
  path: '/api/dashboard/account/recovery-codes',
  sendsBody: true,
};
export const passkeyOptions: Route<typeof signInFactorsContract.createPasskeyOptions> = {
  method: 'POST',
  path: '/api/dashboard/account/passkeys/options',
  sendsBody: true,
};
export const removeAccount: Route<typeof adminContract.removeAccount> = {
  method: 'DELETE',
  path: '/api/admin/accounts/{id}',
};
export const removePasskey: Route<typeof signInFactorsContract.removePasskey> = {
  method: 'POST',
  path: '/api/dashboard/account/passkeys/{id}/remove',
  sendsBody: true,
};
export const removeTotp: Route<typeof signInFactorsContract.removeTotp> = {
  method: 'POST',
  path: '/api/dashboard/account/totp/remove',
  sendsBody: true,
};
export const requestLogoUpload: Route<typeof brandContract.requestLogoUpload> = {
  method: 'POST',
  path: '/api/user/brand/logo',
};
export const requestPasswordReset: Route<typeof accountLinksContract.requestPasswordReset> = {
  method: 'POST',
  path: '/api/dashboard/password-reset/request',
  sendsBody: true,
};
export const resetPassword: Route<typeof accountLinksContract.resetPassword> = {
  method: 'POST',
  path: '/api/dashboard/password-reset',
  sendsBody: true,
};
export const revealApiKey: Route<typeof apiKeyContract.revealApiKey> = {
  method: 'POST',
  path: '/api/dashboard/api-keys/{id}/reveal',
  sendsBody: true,
};
export const revokeInvitation: Route<typeof invitationContract.revokeInvitation> = {
  method: 'DELETE',
  path: '/api/admin/invitations/{id}',
};
export const signUp: Route<typeof accountContract.signUp> = {
  method: 'POST',
  path: '/api/dashboard/accounts',
  sendsBody: true,
};
export const startTotp: Route<typeof signInFactorsContract.startTotp> = {
  method: 'POST',
  path: '/api/dashboard/account/totp/start',
  sendsBody: true,
};
export const updateAccount: Route<typeof adminContract.updateAccount> = {
  method: 'PATCH',
  path: '/api/admin/accounts/{id}',
  sendsBody: true,
};
export const updateBrand: Route<typeof brandContract.updateBrand> = {
  method: 'PATCH',
  path: '/api/user/brand',
  sendsBody: true,
};
export const updateTeamQuotas: Route<typeof quotasContract.updateTeamQuotas> = {
  method: 'PATCH',
  path: '/api/admin/teams/{id}/quotas',
  sendsBody: true,
};
