import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { describePage } from '@/app/watch/describe-page';
import { mayBeFramed } from '@/app/embed/may-be-framed';
import { findWatchable } from '@/app/watch/find-watchable';
import { GatedPlayer } from '@/app/watch/gated-player';
import { UnreadyStage } from '@/app/watch/unready-stage';
import { getTranslations } from '@/app/words';
import { BrandColors } from '@/components/player/pages/brand';
import {
  choosesRealTime,
  chosenProof,
  chosenSource,
  chosenStart,
  embedOptions,
  queryText,
  realTimeOffer,
} from '@/components/player/pages/embed-options';
import { Player } from '@/components/player/player';
import { hasCountries } from '@/lib/core/access/playback-policy';
import { services } from '@/lib/http/services';

interface EmbedProps {
  params: Promise<{ playbackId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: EmbedProps): Promise<Metadata> {
  return describePage((await params).playbackId);
}

/** The bare player for frames on other sites; it fills the frame. */
export default async function EmbedPage({ params, searchParams }: EmbedProps) {
  const { playbackId } = await params;
  const found = await findWatchable(playbackId);
  if (found?.pageId !== undefined) redirect(`/embed/${found.pageId}${queryText(await searchParams)}`);
  const recorded = found?.media !== undefined && found.media.kind !== 'live';
  const query = await searchParams;
  const { baseUrl } = services().settings;
  const gate = found?.policy && {
    playbackId,
    type: found.policy.type,
    proof: chosenProof(query),
    inCountries: hasCountries(found.policy),
    ...(mayBeFramed(found.policy, await headers(), baseUrl) ? {} : { refusal: 'origin' }),
  };
  const player = {
    src: chosenSource(found?.src ?? null, query),
    broadcast: found?.broadcast,
    poster: found?.poster,
    title: found?.title ?? (await getTranslations('player.page'))('nothingToPlay'),
    wholePage: true,
    fill: true,
    startAt: recorded ? chosenStart(query) : undefined,
    resume: recorded,
    dvr: found?.media?.dvr,
    realTime: realTimeOffer(found?.media?.whep, choosesRealTime(query)),
    chapters: found?.media?.chapters,
    brand: found?.brand ?? null,
    share: found?.media ? { baseUrl, playbackId, title: found.title } : undefined,
    ...embedOptions(query),
  };
  return (
    <BrandColors accent={found?.brand?.accent ?? null}>
      <main>
        {found?.unready ? (
          <UnreadyStage
            {...found.unready}
            title={found.title}
            logo={found.brand?.logoUrl ?? undefined}
            fill
          />
        ) : gate ? (
          <GatedPlayer gate={gate} {...player} />
        ) : (
          <Player {...player} />
        )}
      </main>
    </BrandColors>
  );
}
