import { counted } from '@/components/ui/quantities';

/** Of the list; nothing until it is known. */
export function watchingInWords(viewers: number | undefined): string {
  return viewers === undefined ? '' : `${viewers.toLocaleString('en')} watching`;
}

/** Who watches now and how often that was: "12 viewers now · 340 views". */
export function viewersInWords(
  { viewers, views }: { viewers: number; views: number },
  live: boolean,
): string {
  const sum = counted(views, 'view');
  return live ? `${counted(viewers, 'viewer')} now · ${sum}` : sum;
}
