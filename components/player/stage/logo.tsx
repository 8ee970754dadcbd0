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
