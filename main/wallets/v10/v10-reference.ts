/**
 * The reference documentation of the clients of documents 1 to 3: `main/wallets/v10/REFERENCE.md`.
 */
import { referencePage } from '../http/reference-page.ts';
import { v10Catalogue } from './v10-catalogue.ts';
import { contradictions } from './contradictions.ts';
import { profileNamed } from './v10-profile.ts';

export const v10Reference = (): string =>
  referencePage({
    title: 'The wallet service: reference of the clients',
    about: [
      [
        'Every request has a correlation id in the header `CorrelationId`, the same for all calls of one payment and its refunds.',
        'Documents 1 and 3 name that header for subscriptions and app payments;',
        'the other interfaces name none and are sent the same one, because their error answers have such an id.',
      ].join(' '),
    ],
    catalogue: v10Catalogue,
    profile: profileNamed('generic'),
    proofs: {
      integrator: 'an integrator’s token, with version and VAT headers (`integratorAccess`)',
      merchant: 'the merchant’s API key or access token (`merchantAccess`)',
    },
    polled: 'polled by the caller at the service’s pace (`pollDelayInMs`)',
    last: {
      title: 'Where the documents contradict each other or allow two readings',
      lines: [
        '| about | the documents | followed | why | shown by the test |',
        '|---|---|---|---|---|',
        ...contradictions.map(
          ({ about, documents, followed, why, shownBy: [file, title] }) =>
            `| ${about} | ${documents} | ${followed} | ${why} | ${file}: ${title} |`,
        ),
      ],
    },
  });
