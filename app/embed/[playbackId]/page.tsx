import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { describePage } from '@/app/watch/describe-page';
import { mayBeFramed } from '@/app/embed/may-be-framed';
import { findWatchable } from '@/app/watch/find-watchable';
import { RestrictedPlayer } from '@/app/watch/restricted-player';
import { UnreadyStage } from '@/app/watch/unready-stage';
import { getTranslations } from '@/app/messages';
import { BrandColors } from '@/components/player/pages/brand';
import {
  requestsRealTime,
  parseProof,
  playlistFor,
  parseStartPosition,
  parseEmbedOptions,
  formatQuery,
  createRealTimeOffer,
} from '@/components/player/pages/embed-options';
import { stageLogoOf } from '@/components/player/stage/logo';
import { Player } from '@/components/player/player';
import { hasCountryLimit } from '@/lib/core/access/playback-policy';
import { getServices } from '@/lib/http/services';

interface EmbedProps {
  params: Promise<{ playbackId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: EmbedProps): Promise<Metadata> {
  return describePage((await params).playbackId);
}

/** The player without a page around it, for frames on other sites. */
export default async function EmbedPage({ params, searchParams }: EmbedProps) {
  const { playbackId } = await params;
  const playback = await findWatchable(playbackId);
  if (playback?.pagePlaybackId !== undefined)
    redirect(`/embed/${playback.pagePlaybackId}${formatQuery(await searchParams)}`);
  const isRecorded = playback?.media !== undefined && playback.media.kind !== 'live';
  const query = await searchParams;
  const { baseUrl } = getServices().settings;
  const restriction = playback?.policy && {
    playbackId,
    type: playback.policy.type,
    proof: parseProof(query),
    hasCountryLimit: hasCountryLimit(playback.policy),
    ...(mayBeFramed(playback.policy, await headers(), baseUrl) ? {} : { rejection: 'origin' }),
  };
  const playerProps = {
    src: playlistFor(playback?.src ?? null, query),
    publicStatus: playback?.publicStatus,
    poster: playback?.poster,
    title: playback?.title ?? (await getTranslations('player.page'))('nothingToPlay'),
    wholePage: true,
    fill: true,
    startAt: isRecorded ? parseStartPosition(query) : undefined,
    resume: isRecorded,
    dvrSeconds: playback?.media?.dvrSeconds,
    realTime: createRealTimeOffer(playback?.media?.whepUrl, requestsRealTime(query)),
    chapters: playback?.media?.chapters,
    brand: playback?.brand ?? null,
    share: playback?.media ? { baseUrl, playbackId, title: playback.title } : undefined,
    ...parseEmbedOptions(query),
  };
  return (
    <BrandColors accent={playback?.brand?.accent ?? null}>
      <main>
        {playback?.unready ? (
          <UnreadyStage
            {...playback.unready}
            title={playback.title}
            logo={stageLogoOf(playback.brand)}
            fill
          />
        ) : restriction ? (
          <RestrictedPlayer restriction={restriction} {...playerProps} />
        ) : (
          <Player {...playerProps} />
        )}
      </main>
    </BrandColors>
  );
}
