import { previewEndpoints } from './access/preview';
import { playbackTokenEndpoints } from './access/playback-token';
import { signingKeyEndpoints } from './access/signing-key';
import { accountEndpoints } from './accounts/account';
import { accountLinksEndpoints } from './accounts/account-links';
import { adminEndpoints } from './accounts/admin';
import { apiKeyEndpoints } from './accounts/api-key';
import { browserSessionEndpoints } from './accounts/browser-session';
import { brandEndpoints } from './accounts/brand';
import { invitationEndpoints } from './accounts/invitation';
import { dismissProblem, getOverview } from './accounts/overview';
import { quotasEndpoints } from './accounts/quotas';
import { signInFactorsEndpoints } from './accounts/sign-in-factors';
import { teamEndpoints } from './accounts/team';
import { teamInvitationEndpoints } from './accounts/team-invitation';
import { getTotalViews } from './accounts/total-views';
import { usageEndpoints } from './accounts/usage';
import { assetEndpoints } from './assets/asset-endpoints';
import { clipEndpoints } from './assets/clip';
import { posterEndpoints } from './assets/poster';
import { createPlaybackReport } from './audience/playback-report';
import { replaceAsset } from './assets/replace';
import { transcodeEndpoints } from './assets/transcode';
import { transcribeEndpoints } from './assets/transcribe';
import { trackEndpoints } from './assets/track';
import { getAudience } from './audience/audience';
import { viewershipEndpoints } from './audience/viewership';
import { nodeEndpoints } from './nodes/node';
import { serviceEndpoints } from './service';
import { sessionEndpoints } from './sessions/session';
import { describeEmbed } from './streams/oembed';
import { playbackEndpoints } from './streams/playback';
import { pullEndpoints } from './streams/pull-endpoints';
import { programEndpoints } from './streams/program-endpoints';
import { slatePictureEndpoints } from './streams/slate-picture';
import { streamEndpoints } from './streams/stream-endpoints';
import { getStreamHealth } from './streams/stream-health';
import { testPatternEndpoints } from './streams/test-pattern';
import { viewersEndpoints } from './streams/viewers';
import { multistreamEndpoints } from './targets/multistream';
import { targetTestEndpoints } from './targets/target-test';
import { taskEndpoints } from './tasks/task';
import { eventEndpoints } from './webhooks/event-endpoints';
import { webhookDashboardEndpoints } from './webhooks/webhook-dashboard-endpoints';
import { webhookEndpoints } from './webhooks/webhook-endpoints';
import { webhookLogEndpoints } from './webhooks/webhook-log-endpoints';
import type { Endpoint } from './define-endpoint';

/** All endpoints below `/api`. app/api/contract.test.ts compares them with the route files in app/api. */
export const registry: readonly Endpoint[] = [
  ...pullEndpoints,
  ...streamEndpoints,
  ...programEndpoints,
  ...slatePictureEndpoints,
  ...posterEndpoints,
  getStreamHealth,
  ...viewersEndpoints,
  ...previewEndpoints,
  ...multistreamEndpoints,
  ...sessionEndpoints,
  ...eventEndpoints,
  ...targetTestEndpoints,
  ...assetEndpoints,
  replaceAsset,
  ...transcodeEndpoints,
  ...transcribeEndpoints,
  ...trackEndpoints,
  ...clipEndpoints,
  createPlaybackReport,
  ...taskEndpoints,
  ...webhookEndpoints,
  ...webhookLogEndpoints,
  ...webhookDashboardEndpoints,
  ...accountEndpoints,
  ...browserSessionEndpoints,
  ...brandEndpoints,
  getOverview,
  dismissProblem,
  getTotalViews,
  ...viewershipEndpoints,
  getAudience,
  ...usageEndpoints,
  ...playbackEndpoints,
  ...playbackTokenEndpoints,
  ...signingKeyEndpoints,
  describeEmbed,
  ...serviceEndpoints,
  ...nodeEndpoints,
  ...quotasEndpoints,
  ...invitationEndpoints,
  ...signInFactorsEndpoints,
  ...adminEndpoints,
  ...accountLinksEndpoints,
  ...apiKeyEndpoints,
  ...testPatternEndpoints,
  ...teamEndpoints,
  ...teamInvitationEndpoints,
];
