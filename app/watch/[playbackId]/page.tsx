import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { getTranslations } from '@/app/messages';
import { describePage } from '@/app/watch/describe-page';
import { type Watchable, findWatchable } from '@/app/watch/find-watchable';
import { createOpenGraphVideos, createStructuredData, formatScriptJson } from '@/app/watch/structured-data';
import { UnreadyStage } from '@/app/watch/unready-stage';
import { WatchDescription } from '@/app/watch/watch-description';
import { WatchAside } from '@/app/watch/watch-aside';
import { WatchStage } from '@/app/watch/watch-stage';
import { watchWidth } from '@/app/watch/watch-width';
import { BrandColors, BrandLink, hasNameOrLogo } from '@/components/player/pages/brand';
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
  if (playback.pagePlaybackId !== undefined)
    redirect(`/watch/${playback.pagePlaybackId}${formatQuery(await searchParams)}`);
  const { title, description, recordings = [], src, poster, publicStatus, media, unready, policy } = playback;
  const brand = playback.brand ?? null;
  if (unready) return <UnreadyPage title={title} unready={unready} brand={brand} />;
  const { baseUrl } = getServices().settings;
  const chapters = media?.chapters ?? [];
  const query = await searchParams;
  const nonce = (await headers()).get('x-nonce') ?? '';
  const urls = { page: watchUrl(baseUrl, playbackId), embed: `${baseUrl}/embed/${playbackId}` };
  // Search engines and other sites cannot play restricted content.
  const structuredData = policy
    ? null
    : createStructuredData(await getTranslations('player.page'), playback, urls);
  return (
    <>
      {media &&
        !policy &&
        createOpenGraphVideos(playback, urls).map(([property, content], index) => (
          <meta key={index} property={property} content={content} />
        ))}
      {structuredData && (
        <script
          type="application/ld+json"
          nonce={nonce}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: formatScriptJson(structuredData) }}
        />
      )}
      <BrandColors accent={brand?.accent ?? null}>
        <WatchStage
          playbackId={playbackId}
          baseUrl={baseUrl}
          title={title}
          poster={poster}
          publicStatus={publicStatus}
          media={media}
          brand={brand}
          brandLink={hasNameOrLogo(brand) && <BrandLink brand={brand} />}
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
              hasCountryLimit: hasCountryLimit(policy),
            }
          }
          startAt={parseStartPosition(query)}
          requestsRealTime={requestsRealTime(query)}
        />
      </BrandColors>
    </>
  );
}

type UnreadyPageProps = Required<Pick<Watchable, 'title' | 'unready' | 'brand'>>;

/** The page of an asset that cannot be played yet. The layout stays the same when the player replaces the progress. */
function UnreadyPage({ title, unready, brand }: UnreadyPageProps) {
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
          {hasNameOrLogo(brand) && <BrandLink brand={brand} />}
        </div>
        {!hasNameOrLogo(brand) && (
          <footer className="flex justify-center pt-4 opacity-70">
            <Wordmark small />
          </footer>
        )}
      </main>
    </BrandColors>
  );
}
