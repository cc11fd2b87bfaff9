/**
 * The reference documentation of the clients of document 5: `main/wallets/epayment/REFERENCE.md`.
 */
import { referencePage } from '../http/reference-page.ts';
import { epaymentCatalogue } from './epayment-catalogue.ts';
import { epaymentProfile } from './epayment-profile.ts';

export const epaymentReference = (): string =>
  referencePage({
    title: 'The ePayment service: reference of the clients',
    about: [
      [
        'The names are those on the wire. The service names no header for a correlation id; its error answers have a `traceId`, which is in the log.',
        'A key of at most 50 characters goes with every change;',
        'a refusal sticks to its key, so that what is tried again after one is a request of its own.',
        'Five changes of a payment in a minute, and 120 reads.',
      ].join(' '),
    ],
    catalogue: epaymentCatalogue,
    profile: epaymentProfile,
    proofs: {
      salesUnit:
        'a token for the keys of a sales unit, with its subscription key, its serial number and the system headers (`salesUnitAccess`)',
      keys: 'the keys of the sales unit themselves, as headers',
    },
    polled: 'polled by the caller, about once a second while a customer waits',
  });
