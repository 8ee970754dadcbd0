import { formatVideoDuration } from '@/components/assets/asset-text';
import { formatDuration } from '@/components/ui/time-text';
import type { Language } from '@/messages/languages';
import { DAY_SECONDS, HOUR_SECONDS } from '@/lib/core/units';

/** Formats the time on air: "42:17", "1:08:40", "6 d 3 h". */
export function formatTimeOnAir(seconds: number): string {
  if (seconds < DAY_SECONDS) return formatVideoDuration(Math.floor(seconds));
  const hours = Math.floor((seconds % DAY_SECONDS) / HOUR_SECONDS);
  return `${Math.floor(seconds / DAY_SECONDS)} d ${hours} h`;
}

/** Formats watch time: "45 s", "2 h 05 min", and from ten hours on only hours: "1,906 h". */
export function formatWatchTime(minutes: number, language: Language): string {
  if (minutes < 600) return formatDuration(minutes * 60);
  return `${Math.round(minutes / 60).toLocaleString(language)} h`;
}
