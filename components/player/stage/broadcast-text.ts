import type { Translator } from '@/components/i18n/messages';
import type { TimeFormat } from '@/components/ui/time/time-format';
import type { Broadcast } from '@/lib/core/streams/broadcast';

/** Text on the stage, with a link to the recording if there is one. */
export interface BroadcastTexts {
  readonly title: string;
  readonly text: string;
  readonly link?: { readonly href: string; readonly label: string };
}

/**
 * Text for viewers while there is nothing to play; null while the stream is live.
 * @param now Unix milliseconds; null on the server, which does not know the viewer's time zone
 */
export function describeBroadcast(
  t: Translator<'player'>,
  broadcast: Broadcast,
  now: number | null,
  format: TimeFormat,
): BroadcastTexts | null {
  const { state, endedAt, recordingId, startsAt } = broadcast;
  if (state === 'live') return null;
  const defaultTexts = { title: t(`broadcast.${state}.title`), text: t(`broadcast.${state}.text`) };
  const announcement =
    startsAt === undefined || now === null ? {} : { title: formatStart(t, startsAt, now, format) };
  if (state !== 'ended') return { ...defaultTexts, ...announcement };
  return {
    ...defaultTexts,
    ...(endedAt === undefined || now === null ? {} : { title: formatEnd(t, endedAt, now, format) }),
    ...(recordingId === undefined
      ? {}
      : { link: { href: `/watch/${recordingId}`, label: t('broadcast.watchRecording') } }),
    ...announcement,
  };
}

/** "Starts at 17:00" today, otherwise "Starts on December 20 at 17:00"; "Starts soon" once that time has passed. */
function formatStart(t: Translator<'player'>, startsAt: number, now: number, format: TimeFormat): string {
  if (now >= startsAt) return t('broadcast.startsSoon');
  const time = format.time(startsAt);
  return format.date(startsAt) === format.date(now)
    ? t('broadcast.startsToday', { time })
    : t('broadcast.startsOn', { day: format.day(startsAt), time });
}

/** "Ended at 13:25" today, "Ended on May 3 at 13:25" this year, "Ended on May 3, 2026 at 13:25" in other years. */
function formatEnd(t: Translator<'player'>, endedAt: number, now: number, format: TimeFormat): string {
  const { date, time, year } = format;
  if (date(endedAt) === date(now)) return t('broadcast.endedToday', { time: time(endedAt) });
  const day = year(endedAt) === year(now) ? format.day(endedAt) : date(endedAt);
  return t('broadcast.endedOn', { day, time: time(endedAt) });
}
