import {
  changePassword,
  deleteAccount,
  endSessions,
  getMe,
  listAuditEntries,
  signUp,
} from './accounts/account';
import { changeEmail, confirmEmail, requestPasswordReset, resetPassword } from './accounts/account-links';
import { createInvitation, listInvitations, revokeInvitation } from './accounts/invitation';
import {
  getServiceStorage,
  listAccounts,
  listQueues,
  listSettings,
  removeAccount,
  updateAccount,
} from './accounts/admin';
import { deleteLogo, getBrand, requestLogoUpload, updateBrand } from './accounts/brand';
import { createApiKey, deleteApiKey, listApiKeys, revealApiKey } from './accounts/api-key';
import {
  deleteAsset,
  exportAsset,
  getAsset,
  importAsset,
  importAssetByUploadUrl,
  listAssets,
  requestUpload,
  restoreAsset,
  transcodeAsset,
  transcodeAssetFlat,
  updateAsset,
} from './assets/asset-endpoints';
import type { Endpoint } from './define-endpoint';
import {
  createTarget,
  deleteTarget,
  getStreamMultistream,
  getTarget,
  listTargets,
  updateTarget,
} from './targets/multistream';
import { testTarget, testTargetUrl } from './targets/target-test';
import { listStreamEvents, readEvents } from './webhooks/event-endpoints';
import { describeEmbed } from './streams/oembed';
import { getPlayback, getPlaybackStatus } from './streams/playback';
import { listNodes, updateNode } from './nodes/node';
import { getHealth, getLiveness, getOpenApi, getReadiness, listIngests } from './service';
import { getSession, listSessions, listStreamSessions } from './sessions/session';
import {
  addStreamTarget,
  createStream,
  deleteStream,
  getStream,
  listStreams,
  removeStreamTarget,
  rotateStreamKey,
  setStreamRecord,
  terminateStream,
  updateStream,
} from './streams/stream-endpoints';
import { getStreamHealth } from './streams/stream-health';
import { getTestPattern, setTestPattern } from './streams/test-pattern';
import { getTask, listTasks, cancelTask, retryTask } from './tasks/task';
import { getOverview } from './accounts/overview';
import { getQuotas, getTeamQuotas, updateTeamQuotas } from './accounts/quotas';
import { getUsage } from './accounts/usage';
import { getStreamPreview, getStreamViewers, listViewers } from './streams/viewers';
import {
  listWebhookDeliveries,
  replayEvents,
  resendFailedDeliveries,
  rollWebhookSecret,
  sendTestEvent,
} from './webhooks/webhook-desk-endpoints';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  replaceWebhook,
  revealWebhookSecret,
  updateWebhook,
} from './webhooks/webhook-endpoints';
import { getWebhookLog, listWebhookLogs, resendWebhookLog } from './webhooks/webhook-log-endpoints';

/** Every endpoint of /api. A test compares it with the files under app/api. */
export const registry: readonly Endpoint[] = [
  createStream,
  listStreams,
  getStream,
  updateStream,
  setStreamRecord,
  deleteStream,
  terminateStream,
  rotateStreamKey,
  getStreamHealth,
  getStreamViewers,
  listViewers,
  getStreamMultistream,
  addStreamTarget,
  removeStreamTarget,
  listStreamSessions,
  listStreamEvents,
  listSessions,
  getSession,
  createTarget,
  listTargets,
  getTarget,
  updateTarget,
  deleteTarget,
  testTargetUrl,
  testTarget,
  listAssets,
  requestUpload,
  importAsset,
  importAssetByUploadUrl,
  getAsset,
  updateAsset,
  deleteAsset,
  restoreAsset,
  exportAsset,
  transcodeAsset,
  transcodeAssetFlat,
  listTasks,
  getTask,
  cancelTask,
  retryTask,
  createWebhook,
  listWebhooks,
  getWebhook,
  replaceWebhook,
  updateWebhook,
  deleteWebhook,
  listWebhookLogs,
  getWebhookLog,
  resendWebhookLog,
  readEvents,
  revealWebhookSecret,
  rollWebhookSecret,
  listWebhookDeliveries,
  sendTestEvent,
  resendFailedDeliveries,
  replayEvents,
  getMe,
  getBrand,
  updateBrand,
  requestLogoUpload,
  deleteLogo,
  getOverview,
  getUsage,
  getPlayback,
  getPlaybackStatus,
  describeEmbed,
  listIngests,
  listNodes,
  getQuotas,
  getTeamQuotas,
  updateTeamQuotas,
  updateNode,
  listInvitations,
  createInvitation,
  revokeInvitation,
  listAccounts,
  updateAccount,
  removeAccount,
  listQueues,
  getServiceStorage,
  listSettings,
  getHealth,
  getLiveness,
  getReadiness,
  getOpenApi,
  signUp,
  changePassword,
  endSessions,
  deleteAccount,
  requestPasswordReset,
  resetPassword,
  changeEmail,
  confirmEmail,
  listAuditEntries,
  listApiKeys,
  createApiKey,
  deleteApiKey,
  revealApiKey,
  getTestPattern,
  setTestPattern,
  getStreamPreview,
];
