'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { EmptyState, LoadErrorMessage } from '@/components/ui/empty-state';
import { Skeleton } from '@/components/ui/skeleton';
import { ApiCallError } from '@/lib/client/call';
import { useStream } from '@/lib/client/queries/stream-queries';
import { usePublicUrls, type PublicUrls } from '@/lib/client/queries/public-urls';
import type { Stream } from '@/lib/contract/streams/stream';

function StreamMissing() {
  const t = useTranslations('streams.streamView');
  return (
    <EmptyState
      title={t('streamNotFound')}
      action={
        <Button asChild>
          <Link href="/streams">{t('allStreams')}</Link>
        </Button>
      }
    >
      {t('deletedOrWrongLink')}
    </EmptyState>
  );
}

/** Placeholders in the size of the page. */
export function StreamSkeleton() {
  const t = useTranslations('streams.streamView');
  return (
    <div aria-busy="true" aria-label={t('loadingTheStream')}>
      <Skeleton className="mb-1 block h-9 w-72 max-w-full" />
      <Skeleton className="mb-3 block h-6 w-96 max-w-full" />
      <Skeleton className="mb-4 block h-8 w-96 max-w-full" />
      <div className="grid gap-6 xl:grid-cols-2">
        <Skeleton className="aspect-video w-full rounded-lg" />
        <Skeleton className="h-96 w-full rounded-lg" />
      </div>
    </div>
  );
}

const REFRESH_INTERVAL_MS = 2000;

interface StreamLoaderProps {
  id: string;
  children: (stream: Stream, urls: PublicUrls) => ReactNode;
}

/**
 * Loads a stream, refetches it every two seconds, and passes it to `children`. Shows placeholders until it is loaded, and
 * a message if that fails.
 */
export function StreamLoader({ id, children }: StreamLoaderProps) {
  const t = useTranslations('streams.streamView');
  const stream = useStream(id, { refetchInterval: REFRESH_INTERVAL_MS });
  const urls = usePublicUrls();
  const { error } = stream;
  // 422: the id in the URL is not a UUID.
  if (error instanceof ApiCallError && (error.status === 404 || error.status === 422))
    return <StreamMissing />;
  if (error && !stream.data) {
    return <LoadErrorMessage subject={t('theStream')} error={error} onRetry={() => void stream.refetch()} />;
  }
  if (!stream.data || !urls) return <StreamSkeleton />;
  return children(stream.data, urls);
}
