import type { Metadata } from 'next';
import { describePage } from '@/app/watch/describe-page';
import { findWatchable } from '@/app/watch/find-watchable';
import { UnreadyStage } from '@/app/watch/unready-stage';
import { getTranslations } from '@/app/words';
import { BrandColors } from '@/components/player/pages/brand';
import { chosenSource, chosenStart, embedOptions } from '@/components/player/pages/embed-options';
import { Player } from '@/components/player/player';
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
  const recorded = found?.media !== undefined && found.media.kind !== 'live';
  const query = await searchParams;
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
        ) : (
          <Player
            src={chosenSource(found?.src ?? null, query)}
            broadcast={found?.broadcast}
            poster={found?.poster}
            title={found?.title ?? (await getTranslations('player.page'))('nothingToPlay')}
            wholePage
            fill
            startAt={recorded ? chosenStart(query) : undefined}
            resume={recorded}
            chapters={found?.media?.chapters}
            brand={found?.brand ?? null}
            share={
              found?.media
                ? { baseUrl: services().settings.baseUrl, playbackId, title: found.title }
                : undefined
            }
            {...embedOptions(query)}
          />
        )}
      </main>
    </BrandColors>
  );
}
