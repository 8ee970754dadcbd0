import {
  type AccessRules,
  PlaybackAdmission,
  PreviewTokens,
  WebhookAdmission,
  findAccessRules,
} from '@/lib/domain/access';
import type { WorkerContext } from '@/lib/domain/context';
import { openEgress } from '@/lib/infra/egress/egress';
import { createClientAddressReader } from '@/lib/infra/egress/ip-address';
import { publicHosts } from '@/lib/infra/egress/own-addresses';
import { CountryDatabase } from '@/lib/infra/geoip/country-database';
import { listen } from '@/lib/infra/notifications';
import { createCountryLookup } from '@/media-worker/delivery/origin/access/viewer-country';
import {
  type ViewerAccess,
  type ViewerAccessOptions,
  guardViewers,
  createContinuationCheck,
} from '@/media-worker/delivery/origin/access/viewer-access';
import { locationMaxAgeMs } from '@/media-worker/delivery/origin/live/find-node';
import { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';
import type { Lifecycle } from '@/media-worker/kit/process/lifecycle';

/**
 * Creates the access check of viewers, and listens for changes of access, which take effect immediately. Exported for its
 * test.
 */
export function openViewerAccess(
  ctx: Omit<WorkerContext, 'storage'>,
  lifecycle: Pick<Lifecycle, 'own'>,
  countryOf: ViewerAccessOptions['countryOf'],
): ViewerAccess {
  const egress = openEgress({
    allowCidrs: ctx.settings.egressAllowCidrs,
    ownHosts: publicHosts(ctx.settings),
  });
  lifecycle.own('access requests to webhooks', () => egress.close());
  const rulesCache = new LookupCache<AccessRules>((id) => findAccessRules(ctx, id), ctx.clock, {
    announcedMaxAgeMs: () => locationMaxAgeMs(listener.isListening),
    // Admitted viewers may continue for as long as the database is unavailable.
    staleMaxAgeMs: Infinity,
  });
  const onChange = (change: string | null) => {
    const [kind, id = ''] = change?.split(' ') ?? [];
    if (kind === 'playback') rulesCache.invalidate(id);
    else if (kind === 'team') rulesCache.invalidateWhere(({ teamId }) => teamId === id);
    else rulesCache.markAllStale();
  };
  const listener = listen(ctx.settings.databaseUrl, 'playback_access', onChange, ctx.log);
  lifecycle.own('access notifications', () => listener.close());
  const admission = new PlaybackAdmission({ ...ctx, webhooks: new WebhookAdmission({ ...ctx, egress }) });
  return {
    guard: guardViewers({ rulesCache, admission, previews: new PreviewTokens(ctx), countryOf }),
    mayContinue: createContinuationCheck({ rulesCache, admission }),
  };
}

/**
 * Opens the country database.
 * @returns a function that looks up the country of a viewer; without a database, it returns undefined
 */
export function openCountryLookup(
  ctx: Pick<WorkerContext, 'settings' | 'log'>,
  lifecycle: Pick<Lifecycle, 'own'>,
): ViewerAccessOptions['countryOf'] {
  const { geoipDb, trustedProxies } = ctx.settings;
  if (geoipDb === undefined) return () => undefined;
  const database = new CountryDatabase(geoipDb);
  lifecycle.own('country database', database.watch(ctx.log));
  return createCountryLookup(database, createClientAddressReader(trustedProxies));
}
