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

type LinkedBrand = Pick<Brand, 'name' | 'logoUrl' | 'link'>;

/** Whether the owner of the content has set a name or a logo. */
export const hasNameOrLogo = (brand: Brand | null): brand is Brand =>
  brand !== null && (brand.name !== null || brand.logoUrl !== null);

/** Logo and name of the owner of the content, linked to the owner's site if the brand has a link. */
export function BrandLink({ brand: { name, logoUrl, link } }: { brand: LinkedBrand }) {
  const brandClasses = 'flex min-w-0 items-center gap-2 font-medium';
  const content = (
    <>
      {logoUrl !== null && (
        <Logo src={logoUrl} alt={name === null ? 'Logo' : ''} className="h-6 max-w-32 object-contain" />
      )}
      {name !== null && <span className="min-w-0 wrap-anywhere">{name}</span>}
    </>
  );
  if (link === null) return <p className={brandClasses}>{content}</p>;
  return (
    <p className="min-w-0">
      <a
        href={link}
        target="_blank"
        rel="noopener noreferrer"
        className={`${brandClasses} rounded-sm underline-offset-4 hover:underline`}
      >
        {content}
      </a>
    </p>
  );
}
