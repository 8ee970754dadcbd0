import type { Context } from '@/lib/domain/context';
import type { ViewerProof } from '@/lib/contract/access/playback-token';
import { isRestricted } from '@/lib/core/access/playback-policy';
import { AppError } from '@/lib/core/errors';
import { openEgress } from '@/lib/infra/egress/egress';
import { publicHosts } from '@/lib/infra/egress/own-addresses';
import { PlaybackAdmission } from './admit-viewer';
import { WebhookAdmission } from './ask-webhook';
import type { AccessRules } from './access-rules';

/**
 * Checks that a viewer may use the API for an object with a playback policy. Does not check the allowed sites: playback does
 * that.
 * @throws AppError `forbidden`; `unavailable` if the owner's access-control webhook does not respond
 */
export async function checkViewer(ctx: Context, rules: AccessRules, proof: ViewerProof): Promise<void> {
  if (!isRestricted(rules.policy)) return;
  const { settings } = ctx;
  const { jwt = null, token = null, accessKey = null } = proof;
  // `same-origin` passes the check of the allowed sites.
  const credentials = { jwt, token, accessKey, origin: null, referer: null, secFetchSite: 'same-origin' };
  const egress = openEgress({ allowCidrs: settings.egressAllowCidrs, ownHosts: publicHosts(settings) });
  try {
    const admission = new PlaybackAdmission({ ...ctx, webhooks: new WebhookAdmission({ ...ctx, egress }) });
    const viewerOrRejection = await admission.admit(rules, credentials);
    if (!('code' in viewerOrRejection)) return;
    const { status, message } = viewerOrRejection;
    throw new AppError(status >= 500 ? 'unavailable' : 'forbidden', message);
  } finally {
    await egress.close();
  }
}
