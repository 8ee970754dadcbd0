import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { getTranslations } from '@/app/messages';
import { describePage } from '@/app/watch/describe-page';
import { type Watchable, findWatchable } from '@/app/watch/find-watchable';
import { createOpenGraphVideos, scriptText, createStructuredData } from '@/app/watch/structured-data';
import { UnreadyStage } from '@/app/watch/unready-stage';
import { WatchDescription } from '@/app/watch/watch-about';
import { WatchAside } from '@/app/watch/watch-aside';
import { WatchStage } from '@/app/watch/watch-stage';
import { watchWidth } from '@/app/watch/watch-width';
import { BrandColors, ChannelLink, hasChannel } from '@/components/player/pages/brand';
import {
  requestsRealTime,
  parseProof,
  playlistFor,
  parseStartPosition,
  formatQuery,
} from '@/components/player/pages/embed-options';
import { watchUrl } from '@/components/player/pages/share-links';
import { stageLogoOf } from '@/components/player/stage/logo';
import { Wordmark } from '@/components/ui/mark';
import { hasCountryLimit } from '@/lib/core/access/playback-policy';
import { getServices } from '@/lib/http/services';

interface WatchProps {
  params: Promise<{ playbackId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: WatchProps): Promise<Metadata> {
  return describePage((await params).playbackId);
}

/** The public page for viewers: the player, its title and its facts. */
export default async function WatchPage({ params, searchParams }: WatchProps) {
  const { playbackId } = await params;
  const playback = await findWatchable(playbackId);
  if (playback === null) notFound();
  if (playback.pageId !== undefined) redirect(`/watch/${playback.pageId}${formatQuery(await searchParams)}`);
  const { title, description, recordings = [], src, poster, broadcast, media, unready, policy } = playback;
  const brand = playback.brand ?? null;
  if (unready) return <NotReady title={title} unready={unready} brand={brand} />;
  const { baseUrl } = getServices().settings;
  const chapters = media?.chapters ?? [];
  const query = await searchParams;
  const nonce = (await headers()).get('x-nonce') ?? '';
  const urls = { page: watchUrl(baseUrl, playbackId), embed: `${baseUrl}/embed/${playbackId}` };
  const data = policy ? null : createStructuredData(await getTranslations('player.page'), playback, urls);
  return (
    <>
      {media &&
        !policy &&
        createOpenGraphVideos(playback, urls).map(([property, content], index) => (
          <meta key={index} property={property} content={content} />
        ))}
      {data && (
        <script
          type="application/ld+json"
          nonce={nonce}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: scriptText(data) }}
        />
      )}
      <BrandColors accent={brand?.accent ?? null}>
        <WatchStage
          playbackId={playbackId}
          baseUrl={baseUrl}
          title={title}
          poster={poster}
          broadcast={broadcast}
          media={media}
          brand={brand}
          channel={hasChannel(brand) && <ChannelLink brand={brand} />}
          wordmark={<Wordmark small />}
          description={description ? <WatchDescription text={description} /> : null}
          aside={
            chapters.length + recordings.length > 0 ? (
              <WatchAside chapters={chapters} recordings={recordings} query={query} />
            ) : null
          }
          src={playlistFor(src, query)}
          restriction={
            policy && {
              playbackId,
              type: policy.type,
              proof: parseProof(query),
              inCountries: hasCountryLimit(policy),
            }
          }
          startAt={parseStartPosition(query)}
          realTime={requestsRealTime(query)}
        />
      </BrandColors>
    </>
  );
}

type NotReadyProps = Required<Pick<Watchable, 'title' | 'unready' | 'brand'>>;

/** The page of a video that does not play yet, with the picture where it will be. */
function NotReady({ title, unready, brand }: NotReadyProps) {
  return (
    <BrandColors accent={brand?.accent ?? null}>
      <main
        className={`mx-auto grid min-h-dvh content-start gap-4 pb-6 sm:p-4 min-[60rem]:p-6 ${watchWidth}`}
      >
        <div className="dark:ring-line sm:rounded-lg dark:ring-1">
          <UnreadyStage {...unready} title={title} logo={stageLogoOf(brand)} className="sm:rounded-lg" />
        </div>
        <div className="grid gap-3 max-sm:px-4">
          <h1 className="text-xl/7 font-semibold tracking-tight wrap-anywhere">{title}</h1>
          {hasChannel(brand) && <ChannelLink brand={brand} />}
        </div>
        {!hasChannel(brand) && (
          <footer className="flex justify-center pt-4 opacity-70">
            <Wordmark small />
          </footer>
        )}
      </main>
    </BrandColors>
  );
}
