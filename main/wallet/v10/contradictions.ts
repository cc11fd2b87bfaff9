/** Where the interface documents contradict each other, or one of them leaves open what another one limits: what was followed, and why. */
interface Contradiction {
  readonly about: string;
  /** What each says, with the place. */
  readonly documents: string;
  readonly followed: string;
  readonly why: string;
}

export const contradictions: readonly Contradiction[] = [
  {
    about: 'Page number of `listAgreements`',
    documents: 'int32 or null (document 1, "Endpoints", row 7); required, the first is 1 (document 4, section 3.2)',
    followed: 'document 1 for a call: it may be left out; document 4 for the stream of agreements, which always sends it',
    why: 'a request that the service would take must not be stopped here; one that names its page is right by both',
  },
  {
    about: 'Page size of `listAgreements`',
    documents: 'int32 or null, without a limit (document 1, "Endpoints", row 7)',
    followed: 'no limit in the client; the simulator refuses sizes and numbers below 1',
    why: 'a page of nothing cannot be served',
  },
  {
    about: 'Page size of reporting',
    documents: 'at least 1 (document 3, "Limits"); 1 to 1000 (document 4, section 5)',
    followed: 'document 3: the client sets no greatest size; the simulator puts at most 1000 on a page and says so in `pageSize`',
    why: 'whoever follows `nextPageNumber` reads everything either way',
  },
  {
    about: 'Latest due date of a subscription payment',
    documents: '32 days (document 1, text of code 50012); 126 days (document 1, "Subscription payment request", rule 1; document 4, section 3.3)',
    followed: '126 days; `limits.latestDueDateDays` of the profile',
    why: 'the later statement, and the wider one',
  },
  {
    about: 'Payments of one agreement on one day',
    documents: 'several may share a due date if their external ids differ; code 50004 for another payment that day (both document 1)',
    followed: 'another payment is one with the same agreement, due date and external id',
    why: 'the only reading in which both are true',
  },
  {
    about: '`description` of an app payment',
    documents: '200 characters by its schema, 100 by its text (document 3, "App payment")',
    followed: '200; `limits.appDescriptionCharacters` of the profile',
    why: 'the wider value: a request that the service would take must not be stopped here',
  },
  {
    about: '`description` of a one-off payment',
    documents: 'no limit in either of its tables; 60 characters for "description" in general (document 1, "Limits")',
    followed: 'its tables: no limit',
    why: 'the tables name 60 where they mean it, for agreements and subscription payments',
  },
  {
    about: '`external_id` of a one-off payment',
    documents: '30 characters inside an agreement and in "Limits"; 64 on an existing agreement, 30 recommended (all document 1)',
    followed: 'each its own table: 30 and 64',
    why: '"Limits" does not say which of the two it means',
  },
  {
    about: 'Names inside an attachment',
    documents: 'those that are written (document 1, "Payment attachment"); the service reads out others, such as `discount` for `price_discount`',
    followed: 'one set for writing, one for reading',
    why: 'amounts under a name that is not known would arrive in major units',
  },
  {
    about: 'Detail rules of attachments',
    documents: 'defined for an invoice object that was removed on 2023-02-02 (document 1, "Detail rules")',
    followed: 'them, for attachments',
    why: 'nothing has replaced them, and the fields are the same',
  },
  {
    about: 'Ports of callback addresses',
    documents: '80 and 443 for subscriptions (document 1, "Authentication"); nothing for invoices (document 3) or webhooks (document 4, section 4)',
    followed: 'the rule for subscriptions and invoices alike; none for webhooks',
    why: 'subscriptions and invoices call back in the same way, webhooks in another; an address where nothing arrives helps nobody',
  },
  {
    about: 'Deciding in the subscriptions’ sandbox',
    documents: '400, 412 and 500 (document 1, "Endpoints", row 23); 409 on most operations (document 4, section 3.4)',
    followed: '409 for what was decided already; 412 where an agreement is pending and what comes with it cannot be paid',
    why: '409 is everywhere else the answer to a state that does not allow it',
  },
  {
    about: 'Refusals of subscription refunds',
    documents: '500 alone (document 1, "Endpoints", rows 21 and 22); bodies with `errorText` for 400, 412 and 500 (document 4, section 3.4)',
    followed: 'document 4, and 404 without a body',
    why: 'a request that cannot be read has to be answered somehow',
  },
  {
    about: 'Refusals of the point of sale’s sandbox',
    documents: '401 and 500 (document 4, section 1.1); not stated (document 2)',
    followed: 'the simulator also answers 400, and 409 where there is nothing to do this to',
    why: 'a test that simulates nothing must not look as if it had',
  },
  {
    about: 'An accepted agreement in callbacks',
    documents: '`Active` (document 1, "Agreement"); `Accepted` (document 4, section 3.3)',
    followed: 'both are read; the simulator sends `Active`',
    why: 'the table of document 1 has the other fields of that callback too',
  },
  {
    about: 'A refund that is declined',
    documents: '`Decline` in one row, `Declined` in the others (document 1, "Refund")',
    followed: 'both are read; the simulator sends `Declined`',
    why: 'a slip of the pen',
  },
  {
    about: 'A pending payment of an agreement that the user cancels',
    documents: 'Declined, and "new status listed as Rejected" (document 1, code 50005)',
    followed: 'the callback says Declined, a read says Rejected',
    why: 'each is said of something else',
  },
  {
    about: 'Updating an agreement',
    documents: 'two paths (document 1, "Endpoints", row 9); another one (document 4, section 3.1)',
    followed: 'document 4',
    why: 'it explains the other two as slips in release notes',
  },
  {
    about: 'Names in the answer to `getInvoiceStatus`',
    documents: '`InvoiceId` and `Status` in its example, `invoiceId` and `status` in its description; the case of a status varies (document 4, section 6)',
    followed: 'either is read; the simulator answers as in the example',
    why: 'callbacks are spelled as the example is',
  },
  {
    about: 'What is not found at the point of sale',
    documents: '400, 403, 409 and 500 (document 2); 404 for what a path names, 409 for what a body names (document 4, section 1.10)',
    followed: 'document 4',
    why: 'it is the more precise one',
  },
];
