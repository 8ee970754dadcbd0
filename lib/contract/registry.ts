import { signUp } from './account';
import { changePassword, deleteAccount, endSessions, listAuditEntries } from './account-endpoints';
import { createApiKey, deleteApiKey, listApiKeys, revealApiKey } from './api-key';
import { deleteAsset, getAsset, listAssets, updateAsset, restoreAsset } from './asset-endpoints';
import {
  exportAsset,
  importAsset,
  importAssetByUploadUrl,
  requestUpload,
  transcodeAsset,
  transcodeAssetFlat,
} from './asset-work-endpoints';
import type { Endpoint } from './define-endpoint';
import {
  createTarget,
  deleteTarget,
  getStreamMultistream,
  getTarget,
  listTargets,
  updateTarget,
} from './multistream-endpoints';
import { listStreamEvents, readEvents } from './event-endpoints';
import { describeEmbed } from './oembed';
import { getPlayback } from './playback';
import { getHealth, getOpenApi, listIngests } from './service';
import { getSession, listSessions, listStreamSessions } from './session-endpoints';
import {
  addStreamTarget,
  createStream,
  deleteStream,
  getStream,
  listStreams,
  removeStreamTarget,
  rotateStreamKey,
  setStreamRecord,
  setTestPattern,
  terminateStream,
  updateStream,
} from './stream-endpoints';
import { getStreamHealth } from './stream-health';
import { getTask, listTasks, cancelTask, retryTask } from './task-endpoints';
import { getUsage } from './usage';
import { getMe } from './user';
import { getStreamViewers, listViewers } from './viewers';
import {
  listWebhookDeliveries,
  replayEvents,
  resendFailedDeliveries,
  rollWebhookSecret,
  sendTestEvent,
} from './webhook-desk-endpoints';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  replaceWebhook,
  revealWebhookSecret,
  updateWebhook,
} from './webhook-endpoints';
import { getWebhookLog, listWebhookLogs, resendWebhookLog } from './webhook-log-endpoints';

/** Every endpoint of /api. A test holds it against the files under app/api. */
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
  getUsage,
  getPlayback,
  describeEmbed,
  listIngests,
  getHealth,
  getOpenApi,
  signUp,
  changePassword,
  endSessions,
  deleteAccount,
  listAuditEntries,
  listApiKeys,
  createApiKey,
  deleteApiKey,
  revealApiKey,
  setTestPattern,
];
