import type { Brand } from '@/lib/contract/accounts/brand';

/** URL of the logo that a player without video shows. Undefined: the mark of Headwater. Null: no logo. */
export type StageLogo = string | null | undefined;

/** The parts of a brand that a player without video shows. */
export type StageBrand = Pick<Brand, 'name' | 'logoUrl'>;

/**
 * The logo that a player without video shows. An owner who set a name but no logo gets none, instead of the mark of Headwater.
 * @param brand null: the owner has none; undefined: not loaded yet, so no logo is shown
 */
export function stageLogoOf(brand: StageBrand | null | undefined): StageLogo {
  if (brand === undefined) return null;
  return brand?.logoUrl ?? (brand?.name ? null : undefined);
}

interface LogoProps {
  src: string;
  /** Alternative text; empty beside the name of the brand. */
  alt: string;
  className: string;
}

export function Logo({ src, alt, className }: LogoProps) {
  // eslint-disable-next-line @next/next/no-img-element -- the media server has already resized the image
  return <img src={src} alt={alt} className={className} />;
}
