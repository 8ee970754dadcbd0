import type { Translator } from '@/components/i18n/messages';
import type { TimeFormat } from '@/components/ui/time/time-format';
import type { PublicStatus } from '@/lib/core/streams/public-status';

/** Texts that the player shows instead of video, with a link to the recording if there is one. */
export interface PublicStatusTexts {
  readonly title: string;
  readonly text: string;
  readonly link?: { readonly href: string; readonly label: string };
}

/**
 * Texts for viewers about a stream that is not live; null while it is live.
 * @param now Unix milliseconds; null on the server, which does not know the viewer's time zone
 */
export function publicStatusTextsOf(
  t: Translator<'player'>,
  publicStatus: PublicStatus,
  now: number | null,
  format: TimeFormat,
): PublicStatusTexts | null {
  const { state, endedAt, recordingId, startsAt } = publicStatus;
  if (state === 'live') return null;
  const defaultTexts = { title: t(`publicStatus.${state}.title`), text: t(`publicStatus.${state}.text`) };
  const announcement =
    startsAt === undefined || now === null ? {} : { title: formatStart(t, startsAt, now, format) };
  if (state !== 'ended') return { ...defaultTexts, ...announcement };
  return {
    ...defaultTexts,
    ...(endedAt === undefined || now === null ? {} : { title: formatEnd(t, endedAt, now, format) }),
    ...(recordingId === undefined
      ? {}
      : { link: { href: `/watch/${recordingId}`, label: t('publicStatus.watchRecording') } }),
    ...announcement,
  };
}

/** "Starts at 17:00" today, otherwise "Starts on December 20 at 17:00"; "Starts soon" once that time has passed. */
function formatStart(t: Translator<'player'>, startsAt: number, now: number, format: TimeFormat): string {
  if (now >= startsAt) return t('publicStatus.startsSoon');
  const time = format.time(startsAt);
  return format.date(startsAt) === format.date(now)
    ? t('publicStatus.startsToday', { time })
    : t('publicStatus.startsOn', { day: format.day(startsAt), time });
}

/** "Ended at 13:25" today, "Ended on May 3 at 13:25" this year, "Ended on May 3, 2026 at 13:25" in other years. */
function formatEnd(t: Translator<'player'>, endedAt: number, now: number, format: TimeFormat): string {
  const { date, time, year } = format;
  if (date(endedAt) === date(now)) return t('publicStatus.endedToday', { time: time(endedAt) });
  const day = year(endedAt) === year(now) ? format.day(endedAt) : date(endedAt);
  return t('publicStatus.endedOn', { day, time: time(endedAt) });
}
