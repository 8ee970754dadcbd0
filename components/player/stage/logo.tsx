import type { Brand } from '@/lib/contract/accounts/brand';

/** URL of the picture on a stage without video. Undefined: the mark of Headwater. Null: none. */
export type StageLogo = string | null | undefined;

/** The logo of the owner on a stage. An owner who set a name but no logo gets none, instead of the mark of Headwater. */
export const stageLogoOf = (brand: Pick<Brand, 'name' | 'logoUrl'> | null | undefined): StageLogo =>
  brand?.logoUrl ?? (brand?.name ? null : undefined);

interface LogoProps {
  src: string;
  /** Alternative text; empty beside the name of the channel. */
  alt: string;
  className: string;
}

export function Logo({ src, alt, className }: LogoProps) {
  // eslint-disable-next-line @next/next/no-img-element -- from the media server, made small already
  return <img src={src} alt={alt} className={className} />;
}
