import type { ReactNode } from 'react';
import { getTranslations } from '@/app/messages';
import { formatQuery } from '@/components/player/pages/embed-options';
import { formatTimecode } from '@/components/player/video/timecode';
import type { Chapter } from '@/lib/core/assets/chapters';
import type { ShownRecording } from '@/lib/domain/streams';
import { LocalTime } from '@/components/player/pages/local-time';

interface WatchAsideProps {
  chapters: readonly Chapter[];
  recordings: readonly ShownRecording[];
  /** Query of the page: a link to a chapter keeps the rest of it, such as the viewer's token. */
  query: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Chapters of a video and recordings of a stream, beside the player or below it on a phone. Rendered on the server.
 */
export async function WatchAside({ chapters, recordings, query }: WatchAsideProps) {
  const t = await getTranslations('player.page');
  const timecodeWidth = `${Math.max(...chapters.map(({ start }) => formatTimecode(start).length), 0)}ch`;
  return (
    <>
      {chapters.length > 0 && (
        <Section title={t('chapters')}>
          <ol className="-mx-2 max-h-[60dvh] overflow-y-auto">
            {chapters.map(({ start, title }) => (
              <li key={start}>
                {/* With JavaScript, watch-stage.tsx seeks in the player. Otherwise the link loads the page at this time. */}
                <a
                  href={formatQuery({ ...query, t: String(Math.floor(start)) })}
                  data-seek={start}
                  className="hover:bg-hover flex min-h-11 items-center gap-3 rounded-md px-2 py-1.5"
                >
                  <span
                    className="text-ink-2 shrink-0 text-right font-mono text-xs tabular-nums"
                    style={{ width: timecodeWidth }}
                  >
                    {formatTimecode(start)}
                  </span>
                  <span className="min-w-0 wrap-anywhere">{title}</span>
                </a>
              </li>
            ))}
          </ol>
        </Section>
      )}
      {recordings.length > 0 && (
        <Section title={t('recordings')}>
          <ul className="grid gap-3">
            {recordings.map((recording) => (
              <li key={recording.id}>
                <RecordingLink recording={recording} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-3 max-[60rem]:border-t max-[60rem]:pt-4">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function RecordingLink({
  recording: { id, name, startedAt, duration, poster },
}: {
  recording: ShownRecording;
}) {
  return (
    <a href={`/watch/${id}`} className="group flex items-center gap-3 rounded-md">
      <span className="bg-sunken relative aspect-video w-32 shrink-0 overflow-hidden rounded-md">
        {poster !== null && <Poster src={poster} />}
        <span className="absolute right-1 bottom-1 rounded-sm bg-black/75 px-1 font-mono text-xs text-white tabular-nums">
          {formatTimecode(duration)}
        </span>
      </span>
      <span className="grid min-w-0 gap-0.5">
        <span className="line-clamp-2 font-medium wrap-anywhere group-hover:underline">{name}</span>
        <span className="text-ink-2 text-sm">
          <LocalTime unixMs={startedAt} dateOnly />
        </span>
      </span>
    </a>
  );
}

function Poster({ src }: { src: string }) {
  // eslint-disable-next-line @next/next/no-img-element -- thumbnails from the media server need no optimization
  return <img src={src} alt="" loading="lazy" className="size-full object-cover" />;
}
