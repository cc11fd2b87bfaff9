const svg = (width: number, height: number, content: string): Uint8Array =>
  new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${content}</svg>`,
  );

const pictures: Readonly<Record<string, Uint8Array>> = {
  logo: svg(
    240,
    80,
    '<rect width="240" height="80" rx="16" fill="#7a1f3d"/><circle cx="40" cy="40" r="20" fill="#f6d5a0"/><rect x="76" y="30" width="140" height="20" rx="10" fill="#fff"/>',
  ),
  picture: svg(
    1600,
    1000,
    '<rect width="1600" height="1000" fill="#d9e6da"/><circle cx="1180" cy="260" r="160" fill="#f3c969"/><path d="M0 760 L520 420 L900 700 L1240 480 L1600 740 V1000 H0 Z" fill="#4f7a5c"/>',
  ),
};

/** A shop's logo and picture, as the daemon serves them. */
export const shopPictures = {
  async read(
    name: string,
  ): Promise<{ readonly type: string; readonly content: Uint8Array } | null> {
    const content = pictures[name];
    return content === undefined ? null : { type: 'image/svg+xml', content };
  },
};
