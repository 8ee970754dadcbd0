'use client';

import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { DescriptionForm } from '@/components/ui/form/description-form';
import { Input } from '@/components/ui/form/field';
import { PosterField } from '@/components/ui/form/poster-field';
import { SwitchRow } from '@/components/ui/form/toggle';
import { Panel } from '@/components/ui/panel';
import { useUpdateStream } from '@/lib/client/queries/stream-queries';
import type { PublicUrls } from '@/lib/client/queries/public-urls';
import { usePreviewUrl } from '@/lib/client/queries/stream-watch-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import { useSaveFailed } from './use-save-failed';

interface WatchPagePanelProps {
  stream: Stream;
  urls: PublicUrls;
}

/** Content of a stream's watch page: description, poster, announced start and recordings. */
export function WatchPagePanel({ stream, urls }: WatchPagePanelProps) {
  const t = useTranslations('streams.watchPage');
  const saveFailed = useSaveFailed();
  // The description has a mutation of its own, because its error is shown in its form instead of a toast.
  const updateDescription = useUpdateStream(stream.id);
  const update = useUpdateStream(stream.id);
  const saveChange = (body: Parameters<typeof update.mutate>[0]) =>
    update.mutate(body, { onError: saveFailed });
  return (
    <Panel id="watch-page" title={t('title')} className="max-w-3xl">
      <div className="grid gap-5">
        <DescriptionForm
          savedText={stream.description}
          mutation={updateDescription}
          onSave={(description, onSaved) => updateDescription.mutate({ description }, { onSuccess: onSaved })}
        />
        <StreamPoster stream={stream} urls={urls} />
        <StartRow
          key={stream.startsAt}
          startsAt={stream.startsAt ?? null}
          onChange={(startsAt) => saveChange({ startsAt })}
        />
        <SwitchRow
          label={t('showRecordings')}
          description={t('whatShowRecordingsDoes')}
          checked={stream.showRecordings ?? false}
          onChange={(showRecordings) => saveChange({ showRecordings })}
        />
      </div>
    </Panel>
  );
}

/**
 * Field for the poster. The URL of the current thumbnail contains the preview token of the team, so it works with every
 * playback policy.
 */
function StreamPoster({ stream, urls }: WatchPagePanelProps) {
  const { id, playbackId, isActive, posterUrl } = stream;
  const playlist = usePreviewUrl(id, urls.playbackUrl(playbackId));
  const currentThumbnailUrl = isActive ? playlist?.replace('index.m3u8', 'thumbnail.jpg') : undefined;
  return (
    <PosterField
      owner={{ kind: 'stream', id }}
      posterUrl={posterUrl}
      currentThumbnailUrl={currentThumbnailUrl}
    />
  );
}

interface StartRowProps {
  /** Unix milliseconds; null = not announced. */
  startsAt: number | null;
  onChange: (startsAt: number | null) => void;
}

/** Field for the announced start, in the time zone of the browser. It is saved when the field loses focus. */
function StartRow({ startsAt, onChange }: StartRowProps) {
  const t = useTranslations('streams.watchPage');
  const id = useId();
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 basis-64">
        <label htmlFor={id} className="font-medium">
          {t('startsAt')}
        </label>
        <p id={`${id}-hint`} className="text-ink-2 text-sm">
          {t('whatStartsAtDoes')}
        </p>
      </div>
      <div className="flex items-center gap-2">
        <Input
          id={id}
          aria-describedby={`${id}-hint`}
          type="datetime-local"
          defaultValue={startsAt === null ? '' : formatLocalInput(startsAt)}
          onBlur={({ target }) => {
            const newStart = target.value === '' ? null : new Date(target.value).getTime();
            if (newStart !== startsAt && !Number.isNaN(newStart)) onChange(newStart);
          }}
          className="w-56"
        />
        {startsAt !== null && (
          <Button variant="ghost" onClick={() => onChange(null)}>
            {t('removeStart')}
          </Button>
        )}
      </div>
    </div>
  );
}

/**
 * Value of a datetime-local field: "2026-12-20T17:00". `toISOString` prints UTC, so the time is shifted to the local time.
 * @param unixMs time to format
 */
function formatLocalInput(unixMs: number): string {
  const date = new Date(unixMs);
  return new Date(unixMs - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
