import { Fragment, type ReactNode } from 'react';
import { getTranslations } from '@/app/messages';
import { linksIn } from '@/lib/core/text-links';

/** Characters of a description that are shown before "More". */
const excerptLength = 280;

/** Description by the owner, collapsed if it is long. */
export async function WatchDescription({ text }: { text: string }) {
  const t = await getTranslations('player.page');
  const excerptLength = excerptEnd(text);
  const lines = 'max-w-[70ch] text-ink-2 whitespace-pre-line wrap-anywhere';
  if (excerptLength === text.length) return <p className={lines}>{withLinks(text)}</p>;
  return (
    <details className={`group ${lines}`}>
      <summary className="cursor-pointer list-none [&::-webkit-details-marker]:hidden">
        {text.slice(0, excerptLength)}
        <span className="group-open:hidden">
          {'… '}
          <span className="text-accent-ink font-medium">{t('more')}</span>
        </span>
      </summary>
      {withLinks(text.slice(excerptLength).trimStart())}
    </details>
  );
}

/** Index of the end of the last word of the excerpt; the length of the text if it is short. */
function excerptEnd(text: string): number {
  const lineEnd = text.indexOf('\n', excerptLength / 2);
  if (text.length <= excerptLength) return text.length;
  if (lineEnd >= 0 && lineEnd < excerptLength) return lineEnd;
  const blank = text.lastIndexOf(' ', excerptLength);
  return blank > excerptLength / 2 ? blank : excerptLength;
}

/** Turns URLs into links that open in a new tab and that search engines do not follow. */
const withLinks = (text: string): ReactNode =>
  linksIn(text).map(({ text: part, href }, index) =>
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
