'use client';

import { ArrowRight } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { ChecklistStep } from './step';
import { EncoderSetup } from '@/components/streams/connect/encoder-setup';
import { TestPattern } from '@/components/streams/connect/test-pattern';
import { createStreamCurl } from '@/components/streams/sharing/api-examples';
import { watchUrl } from '@/components/player/pages/share-links';
import { Button } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { CopyField } from '@/components/ui/copy/copy-field';
import type { Stream } from '@/lib/contract/streams/stream';
import type { PublicUrls } from '@/lib/client/queries/public-urls';
import type { Overview } from '@/lib/contract/accounts/overview';
import { RecordingStep } from './recording-step';

/** Number of completed steps of the checklist. The step to watch the stream is completed with the first video. */
export function setupProgress({ streamCreated, videoReceived, assetReady, keyCreated }: Overview['setup']) {
  const steps = [streamCreated, videoReceived, videoReceived, assetReady, keyCreated];
  const doneSteps = steps.filter(Boolean).length;
  return { done: doneSteps, total: steps.length, complete: doneSteps === steps.length };
}

interface FirstStepsProps {
  setup: Overview['setup'];
  /** The live stream, or the newest stream if none is live. */
  stream: Stream | undefined;
  urls: PublicUrls;
  /** Whether a completed step shows only its title. */
  isFolded: boolean;
  creating: boolean;
  onCreate: () => void;
}

/** Steps to the first broadcast, with the values of the stream. */
export function FirstSteps({ setup, stream, urls, isFolded, creating, onCreate }: FirstStepsProps) {
  const t = useTranslations('home.firstSteps');
  const { videoReceived: hasVideo, keyCreated: hasKey } = setup;
  return (
    <ol>
      <ChecklistStep
        isFolded={isFolded}
        number={1}
        title={t('createAStream')}
        state={setup.streamCreated ? 'done' : 'now'}
        aside={
          stream ? (
            <StreamLink stream={stream} />
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
        isFolded={isFolded}
        number={2}
        title={t('sendVideo')}
        state={hasVideo ? 'done' : stream ? 'now' : 'later'}
        aside={stream && <TestPattern stream={stream} />}
      >
        {stream?.streamKey ? (
          <div className="bg-surface mt-2 rounded-lg border p-4">
            <EncoderSetup urls={urls} streamKey={stream.streamKey} name={stream.name} />
          </div>
        ) : (
          <p className="text-ink-2">{t('sendVideoText')}</p>
        )}
      </ChecklistStep>
      <ChecklistStep
        isFolded={isFolded}
        number={3}
        title={t('watchAndShare')}
        state={hasVideo ? 'done' : 'later'}
      >
        {stream && hasVideo ? (
          <CopyField label={t('watchPage')} value={watchUrl(urls.baseUrl, stream.playbackId)} />
        ) : (
          <p className="text-ink-2">{t('watchText')}</p>
        )}
      </ChecklistStep>
      <RecordingStep isFolded={isFolded} number={4} stream={stream} isDone={setup.assetReady} />
      <ChecklistStep
        isFolded={isFolded}
        number={5}
        title={t('useTheApi')}
        state={hasKey ? 'done' : 'later'}
        aside={
          <Button asChild size="sm">
            <Link href={hasKey ? '/developers/keys' : '/developers/keys?new=1'}>
              {hasKey ? t('apiKeys') : t('createAnApiKey')}
            </Link>
          </Button>
        }
      >
        <div className="grid gap-3">
          <p className="text-ink-2">
            {t.rich('useTheApiText', {
              link: (text) => (
                <Link
                  href="/docs"
                  className="text-accent-ink rounded-sm font-medium underline underline-offset-4"
                >
                  {text}
                </Link>
              ),
            })}
          </p>
          <CodeBlock label={t('curlCommand')} code={createStreamCurl(urls.baseUrl)} />
        </div>
      </ChecklistStep>
    </ol>
  );
}

function StreamLink({ stream }: { stream: Stream }) {
  return (
    <Link
      href={`/streams/${stream.id}`}
      className="text-accent-ink inline-flex min-w-0 items-center gap-1 rounded-sm font-medium underline-offset-4 hover:underline"
    >
      <span className="truncate">{stream.name}</span>
      <ArrowRight aria-hidden="true" className="size-4 shrink-0" />
    </Link>
  );
}
