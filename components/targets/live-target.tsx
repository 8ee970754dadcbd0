import { useLocale, useTranslations } from 'use-intl';
import { useTranslateMessage } from '@/components/i18n/reasons';
import { StatusPill } from '@/components/ui/status-pill';
import { StreamTargetMenu, useSentRendition, type StreamTargetProps } from './stream-target-menu';
import { detailOf, statusOf } from './target-text';

/** A target of a live stream, and whether it receives the stream. */
export function LiveTarget(props: StreamTargetProps) {
  const { target } = props;
  const tTargetTexts = useTranslations('targets.targetTexts');
  const { tone, label } = statusOf(tTargetTexts, target);
  const detail = detailOf(tTargetTexts, target, useLocale(), useTranslateMessage());
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-2 py-2 pr-2 pl-4">
      <span className="min-w-0">
        <span className="font-medium wrap-anywhere">{target.name}</span>
        <span className="text-ink-2 text-sm"> · {useSentRendition(target)}</span>
      </span>
      <StatusPill tone={tone}>{label}</StatusPill>
      <StreamTargetMenu {...props} />
      {detail && (
        <span className="text-ink-2 col-span-3 pr-2 text-sm wrap-anywhere tabular-nums">{detail}</span>
      )}
    </li>
  );
}
