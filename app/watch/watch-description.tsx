import { Fragment, type ReactNode } from 'react';
import { getTranslations } from '@/app/messages';
import { splitLinks } from '@/lib/core/text-links';

/** Approximate number of characters of a description that are shown before "More". */
const EXCERPT_LENGTH = 280;

/** Description by the owner, collapsed if it is long. */
export async function WatchDescription({ text }: { text: string }) {
  const t = await getTranslations('player.page');
  const excerptEndIndex = findExcerptEnd(text);
  const textClasses = 'max-w-[70ch] text-ink-2 whitespace-pre-line wrap-anywhere';
  if (excerptEndIndex === text.length) return <p className={textClasses}>{linkUrls(text)}</p>;
  return (
    <details className={`group ${textClasses}`}>
      <summary className="cursor-pointer list-none [&::-webkit-details-marker]:hidden">
        {text.slice(0, excerptEndIndex)}
        <span className="group-open:hidden">
          {'… '}
          <span className="text-accent-ink font-medium">{t('more')}</span>
        </span>
      </summary>
      {linkUrls(text.slice(excerptEndIndex).trimStart())}
    </details>
  );
}

/**
 * Index at which the excerpt ends: the end of a line or word in its second half. The length of the text if it is
 * short.
 */
function findExcerptEnd(text: string): number {
  const lineEndIndex = text.indexOf('\n', EXCERPT_LENGTH / 2);
  if (text.length <= EXCERPT_LENGTH) return text.length;
  if (lineEndIndex >= 0 && lineEndIndex < EXCERPT_LENGTH) return lineEndIndex;
  const lastSpaceIndex = text.lastIndexOf(' ', EXCERPT_LENGTH);
  return lastSpaceIndex > EXCERPT_LENGTH / 2 ? lastSpaceIndex : EXCERPT_LENGTH;
}

/** Turns URLs into links that open in a new tab and that search engines do not follow. */
const linkUrls = (text: string): ReactNode =>
  splitLinks(text).map(({ text: part, href }, index) =>
    href === undefined ? (
      <Fragment key={index}>{part}</Fragment>
    ) : (
      <a
        key={index}
        href={href}
        target="_blank"
        rel="noopener nofollow ugc"
        className="text-accent-ink underline underline-offset-4"
      >
        {part}
      </a>
    ),
  );
