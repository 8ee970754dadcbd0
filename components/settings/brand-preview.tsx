import { useTranslations } from 'use-intl';
import { BrandColors, BrandLink, hasNameOrLogo } from '@/components/player/pages/brand';
import { stageLogoOf } from '@/components/player/stage/logo';
import { PlayerMessage } from '@/components/player/stage/player-state';
import { Wordmark } from '@/components/ui/mark';
import type { Brand } from '@/lib/contract/accounts/brand';
import { accentBackgrounds, readableShadesOf } from '@/lib/core/brand/accent';

/** A small preview of a watch page with unsaved changes. */
export function BrandPreview({ brand }: { brand: Brand }) {
  const t = useTranslations('settings.brandPreview');
  return (
    <section aria-label={t('preview')} className="grid min-w-0 content-start gap-2">
      <h3 className="text-sm font-medium">{t('preview')}</h3>
      <BrandColors accent={brand.accent}>
        <div className="bg-canvas grid gap-3 rounded-lg border p-3">
          <div className="dark text-ink relative aspect-video overflow-hidden rounded-md bg-[#0b1013]">
            <PlayerMessage
              title={t('notLiveYet')}
              text={t('playbackWillStartAutomatically')}
              logo={stageLogoOf(brand)}
            />
            <div aria-hidden="true" className="absolute inset-x-3 bottom-3 h-1 rounded-full bg-white/25">
              <div className="bg-accent h-full w-2/5 rounded-full" />
            </div>
          </div>
          <div className="flex min-w-0 items-start justify-between gap-4">
            <div className="grid min-w-0 gap-1">
              <p className="text-lg font-semibold tracking-tight">{t('streamName')}</p>
              {hasNameOrLogo(brand) && <BrandLink brand={brand} />}
            </div>
            {!hasNameOrLogo(brand) && <Wordmark small />}
          </div>
        </div>
      </BrandColors>
      {brand.accent !== null && <Shades accent={brand.accent} />}
    </section>
  );
}

/** The shades of the accent color that are readable in the light and in the dark theme. */
function Shades({ accent }: { accent: string }) {
  const t = useTranslations('settings.brandPreview');
  const { light, dark } = readableShadesOf(accent);
  // Label, shade, background of the page, and color of text on the shade.
  const shades = [
    [t('lightPages'), light, accentBackgrounds.light, '#ffffff'],
    [t('darkPagesAndPlayer'), dark, accentBackgrounds.dark, '#0b1013'],
  ] as const;
  return (
    <ul className="flex flex-wrap gap-2 text-sm font-medium">
      {shades.map(([label, shade, pageBackground, textColor]) => (
        <li
          key={label}
          className="flex items-center gap-2 rounded-md border px-2 py-1"
          style={{ background: pageBackground, color: shade }}
        >
          {label}
          <span
            className="rounded-sm px-1.5 font-mono text-xs"
            style={{ background: shade, color: textColor }}
          >
            {shade}
          </span>
        </li>
      ))}
    </ul>
  );
}
