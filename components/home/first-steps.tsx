'use client';

import { ArrowRight } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { ChecklistStep } from './step';
import { EncoderSetup } from '@/components/streams/connect/encoder-setup';
import { TestPatternButton } from '@/components/streams/connect/test-pattern';
import { watchUrl } from '@/components/player/pages/share-links';
import { Button } from '@/components/ui/button';
import { CopyField } from '@/components/ui/copy/copy-field';
import type { Stream } from '@/lib/contract/streams/stream';
import type { PublicUrls } from '@/lib/client/queries/public-urls';
import type { Overview } from '@/lib/contract/accounts/overview';

const STEP_COUNT = 3;

/** Number of completed steps. The last step, to share the watch page, is the current one once video arrives. */
export function setupProgress({ streamCreated, videoReceived }: Overview['setup']) {
  return { done: [streamCreated, videoReceived].filter(Boolean).length, total: STEP_COUNT };
}

interface FirstStepsProps {
  setup: Overview['setup'];
  /** The live stream, or the newest stream if none is live. */
  stream: Stream | undefined;
  urls: PublicUrls;
  creating: boolean;
  onCreate: () => void;
}

/** Steps to the first session, with the values of the stream. */
export function FirstSteps({ setup, stream, urls, creating, onCreate }: FirstStepsProps) {
  const t = useTranslations('home.firstSteps');
  const hasVideo = setup.videoReceived;
  return (
    <ol>
      <ChecklistStep
        number={1}
        title={t('createAStream')}
        state={setup.streamCreated ? 'done' : 'now'}
        aside={
          stream ? (
            <ArrowLink href={`/streams/${stream.id}`}>{stream.name}</ArrowLink>
          ) : (
            <Button variant="primary" pending={creating} onClick={onCreate}>
              {t('createMyFirstStream')}
            </Button>
          )
        }
      >
        {!stream && <p className="text-ink-2">{t('createAStreamText')}</p>}
      </ChecklistStep>
      <ChecklistStep
        number={2}
        title={t('sendVideo')}
        state={hasVideo ? 'done' : stream ? 'now' : 'later'}
        aside={stream && <TestPatternButton stream={stream} />}
      >
        {stream?.streamKey ? (
          <div className="bg-surface mt-2 rounded-lg border p-4">
            <EncoderSetup urls={urls} streamKey={stream.streamKey} name={stream.name} />
          </div>
        ) : (
          <p className="text-ink-2">{t('sendVideoText')}</p>
        )}
      </ChecklistStep>
      <ChecklistStep number={STEP_COUNT} title={t('watchAndShare')} state={hasVideo ? 'now' : 'later'}>
        {stream && hasVideo ? (
          <ShareLinks stream={stream} baseUrl={urls.baseUrl} />
        ) : (
          <p className="text-ink-2">{t('watchText')}</p>
        )}
      </ChecklistStep>
    </ol>
  );
}

/** URL of the watch page, and what to do next. */
function ShareLinks({ stream, baseUrl }: { stream: Stream; baseUrl: string }) {
  const t = useTranslations('home.firstSteps');
  const { id, playbackId, record } = stream;
  return (
    <div className="grid gap-3">
      <CopyField label={t('watchPage')} value={watchUrl(baseUrl, playbackId)} />
      <p className="flex flex-wrap gap-x-6">
        {record ? (
          <ArrowLink href={`/streams/${id}?tab=sessions`}>{t('recordings')}</ArrowLink>
        ) : (
          <ArrowLink href={`/streams/${id}?tab=settings`}>{t('recordTheStream')}</ArrowLink>
        )}
        <ArrowLink href="/assets">{t('uploadAVideo')}</ArrowLink>
        <ArrowLink href="/developers/keys?new=1">{t('createAnApiKey')}</ArrowLink>
        <ArrowLink href="/docs">{t('apiReference')}</ArrowLink>
      </p>
    </div>
  );
}

/** A link with an arrow, high enough for a finger. */
function ArrowLink({ href, children }: { href: string; children: string }) {
  return (
    <Link
      href={href}
      className="text-accent-ink inline-flex min-w-0 items-center gap-1 rounded-sm font-medium underline-offset-4 hover:underline pointer-coarse:min-h-11"
    >
      <span className="truncate">{children}</span>
      <ArrowRight aria-hidden="true" className="size-4 shrink-0" />
    </Link>
  );
}
