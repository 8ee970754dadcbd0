import type { RouteFile } from '@/lib/http/studio-dialect';
import * as signingKeyId from '../access-control/signing-key/[id]/route';
import * as signingKey from '../access-control/signing-key/route';
import * as adminNode from '../admin/nodes/[id]/route';
import * as adminNodes from '../admin/nodes/route';
import * as assetExport from '../asset/[id]/export/route';
import * as assetId from '../asset/[id]/route';
import * as assetReplace from '../asset/[id]/replace/route';
import * as assetRestore from '../asset/[id]/restore/route';
import * as assetTrackId from '../asset/[id]/tracks/[trackId]/route';
import * as assetTracks from '../asset/[id]/tracks/route';
import * as assetTranscode from '../asset/[id]/transcode/route';
import * as assetTranscribe from '../asset/[id]/transcribe/route';
import * as assetUsage from '../asset/[id]/usage/route';
import * as assetImport from '../asset/import/route';
import * as assetRequestUpload from '../asset/request-upload/route';
import * as asset from '../asset/route';
import * as assetTranscodeFlat from '../asset/transcode/route';
import * as assetUploadUrl from '../asset/upload/url/route';
import * as clip from '../clip/route';
import * as dataAudience from '../data/audience/route';
import * as dataCreatorViews from '../data/views/query/creator/route';
import * as dataViewsNow from '../data/views/now/route';
import * as dataViews from '../data/views/query/route';
import * as dataTotalViews from '../data/views/query/total/[playbackId]/route';
import * as event from '../event/route';
import * as ingest from '../ingest/route';
import * as targetId from '../multistream/target/[id]/route';
import * as targetIdTest from '../multistream/target/[id]/test/route';
import * as target from '../multistream/target/route';
import * as targetTest from '../multistream/target/test/route';
import * as playbackId from '../playback/[id]/route';
import * as playbackClip from '../playback/[id]/clip/route';
import * as playbackPassword from '../playback/[id]/password/route';
import * as playbackTokenRevoke from '../playback/[id]/token/revoke/route';
import * as playbackToken from '../playback/[id]/token/route';
import * as playbackStatus from '../playback/[id]/status/route';
import * as sessionClips from '../session/[id]/clips/route';
import * as sessionId from '../session/[id]/route';
import * as session from '../session/route';
import * as streamClips from '../stream/[id]/clips/route';
import * as streamNewTarget from '../stream/[id]/create-multistream-target/route';
import * as streamTarget from '../stream/[id]/multistream/[targetId]/route';
import * as streamEvents from '../stream/[id]/events/route';
import * as streamHealth from '../stream/[id]/health/route';
import * as streamMultistream from '../stream/[id]/multistream/route';
import * as streamRecord from '../stream/[id]/record/route';
import * as streamRotateKey from '../stream/[id]/rotate-key/route';
import * as streamId from '../stream/[id]/route';
import * as streamSessions from '../stream/[id]/sessions/route';
import * as streamSlatePicture from '../stream/[id]/slate-picture/route';
import * as streamSwitch from '../stream/[id]/switch/route';
import * as streamTerminate from '../stream/[id]/terminate/route';
import * as streamViewers from '../stream/[id]/viewers/route';
import * as stream from '../stream/route';
import * as taskCancel from '../task/[id]/cancel/route';
import * as taskRetry from '../task/[id]/retry/route';
import * as taskId from '../task/[id]/route';
import * as task from '../task/route';
import * as userBrandLogo from '../user/brand/logo/route';
import * as userBrand from '../user/brand/route';
import * as userMe from '../user/me/route';
import * as viewers from '../viewers/route';
import * as userOverview from '../user/overview/route';
import * as userQuotas from '../user/quotas/route';
import * as userUsage from '../user/usage/route';
import * as webhookLogResend from '../webhook/[id]/log/[logId]/resend/route';
import * as webhookLogEntry from '../webhook/[id]/log/[logId]/route';
import * as webhookLog from '../webhook/[id]/log/route';
import * as webhook from '../webhook/route';
import { webhookFile } from './webhook-file';

/** Everything that API keys are for; a test holds it against the registry. */
export const mounted: readonly RouteFile[] = [
  adminNode,
  adminNodes,
  assetExport,
  assetId,
  assetReplace,
  assetRestore,
  assetTrackId,
  assetTracks,
  assetTranscode,
  assetTranscribe,
  assetUsage,
  assetImport,
  assetRequestUpload,
  asset,
  assetTranscodeFlat,
  assetUploadUrl,
  clip,
  dataAudience,
  dataCreatorViews,
  dataViewsNow,
  dataViews,
  dataTotalViews,
  event,
  ingest,
  targetTest,
  targetIdTest,
  targetId,
  target,
  playbackId,
  playbackStatus,
  playbackClip,
  playbackPassword,
  playbackTokenRevoke,
  playbackToken,
  signingKeyId,
  signingKey,
  sessionClips,
  sessionId,
  session,
  streamClips,
  streamNewTarget,
  streamTarget,
  streamEvents,
  streamHealth,
  streamMultistream,
  streamRecord,
  streamRotateKey,
  streamId,
  streamSessions,
  streamSlatePicture,
  streamSwitch,
  streamTerminate,
  streamViewers,
  stream,
  taskCancel,
  taskRetry,
  taskId,
  task,
  userBrandLogo,
  userBrand,
  userMe,
  viewers,
  userOverview,
  userQuotas,
  userUsage,
  webhookLogResend,
  webhookLogEntry,
  webhookLog,
  webhookFile,
  webhook,
];
