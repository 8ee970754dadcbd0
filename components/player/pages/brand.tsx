import type { CSSProperties, ReactNode } from 'react';
import type { Brand } from '@/lib/contract/accounts/brand';
import { readableShadesOf } from '@/lib/core/brand/accent';
import { Logo } from '../stage/logo';

/** Applies the owner's accent color to its children (app/globals.css); without an accent color, the default color. */
export function BrandColors({ accent, children }: { accent: string | null; children: ReactNode }) {
  if (accent === null) return children;
  const { light, dark } = readableShadesOf(accent);
  const style = { '--brand-light': light, '--brand-dark': dark } as CSSProperties;
  return (
    <div data-brand style={style}>
      {children}
    </div>
  );
}

type ChannelBrand = Pick<Brand, 'name' | 'logoUrl' | 'link'>;

/** Whether the owner has set a name or a logo. */
export const hasChannel = (brand: Brand | null): brand is Brand =>
  brand !== null && (brand.name !== null || brand.logoUrl !== null);

/** Logo and name of the channel, linked to the channel's own site. */
export function ChannelLink({ brand: { name, logoUrl, link } }: { brand: ChannelBrand }) {
  const look = 'flex min-w-0 items-center gap-2 font-medium';
  const content = (
    <>
      {logoUrl !== null && (
        <Logo src={logoUrl} alt={name === null ? 'Logo' : ''} className="h-6 max-w-32 object-contain" />
      )}
      {name !== null && <span className="min-w-0 wrap-anywhere">{name}</span>}
    </>
  );
  if (link === null) return <p className={look}>{content}</p>;
  return (
    <p className="min-w-0">
      <a
        href={link}
        target="_blank"
        rel="noopener noreferrer"
        className={`${look} rounded-sm underline-offset-4 hover:underline`}
      >
        {content}
      </a>
    </p>
  );
}
