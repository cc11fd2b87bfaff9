/**
 * Where the interface documents contradict each other, or allow two readings: what was followed,
 * why, and the test that shows it.
 */
interface Contradiction {
  readonly about: string;
  /** What each says, with the place. */
  readonly documents: string;
  readonly followed: string;
  readonly why: string;
  /** A file below `test/unit`, and the title of the test in it. */
  readonly shownBy: readonly [file: string, title: string];
}

export const contradictions: readonly Contradiction[] = [
  {
    about: 'Page number of `listAgreements`',
    documents:
      'int32 or null (document 1, "Endpoints", row 7); required, the first is 1 (document 4, section 3.2)',
    followed:
      'document 1 for a call: it may be left out; document 4 for the stream of agreements, which always sends it',
    why: 'a request that the service would take must not be stopped here; one that names its page is right by both',
    shownBy: [
      'test/unit/wallets/v10/subscriptions.test.ts',
      'a list of agreements asked for with no page is the first one',
    ],
  },
  {
    about: 'Page size of `listAgreements`',
    documents: 'int32 or null, without a limit (document 1, "Endpoints", row 7)',
    followed: 'no limit in the client; the simulator refuses sizes and numbers below 1',
    why: 'a page of nothing cannot be served',
    shownBy: [
      'test/unit/wallets/v10/subscriptions.test.ts',
      'a list of agreements asked for with "%s"',
    ],
  },
  {
    about: 'Page size of reporting',
    documents: 'at least 1 (document 3, "Limits"); 1 to 1000 (document 4, section 5)',
    followed:
      'document 3: the client sets no greatest size; the simulator puts at most 1000 on a page and says so in `pageSize`',
    why: 'whoever follows `nextPageNumber` reads everything either way',
    shownBy: ['test/unit/sandbox/simulator/reporting.test.ts', 'pagesize=1001'],
  },
  {
    about: 'Latest due date of a subscription payment',
    documents:
      '32 days (document 1, text of code 50012); 126 days (document 1, "Subscription payment request", rule 1; document 4, section 3.3)',
    followed: '126 days; `limits.latestDueDateDays` of the profile',
    why: 'the later statement, and the wider one',
    shownBy: ['test/unit/wallets/v10/subscription-payments.test.ts', 'a payment request'],
  },
  {
    about: 'Payments of one agreement on one day',
    documents:
      'several may share a due date if their external ids differ; code 50004 for another payment that day (both document 1)',
    followed: 'another payment is one with the same agreement, due date and external id',
    why: 'the only reading in which both are true',
    shownBy: [
      'test/unit/wallets/v10/subscription-payments.test.ts',
      'is not sent beside another one for the same agreement, due date and external id',
    ],
  },
  {
    about: '`description` of an app payment',
    documents: '200 characters by its schema, 100 by its text (document 3, "App payment")',
    followed: '200; `limits.appDescriptionCharacters` of the profile',
    why: 'the wider value: a request that the service would take must not be stopped here',
    shownBy: [
      'test/unit/wallets/v10/app-payments.test.ts',
      'a description is as long as the profile allows',
    ],
  },
  {
    about: '`description` of a one-off payment',
    documents:
      'no limit in either of its tables; 60 characters for "description" in general (document 1, "Limits")',
    followed: 'its tables: no limit',
    why: 'the tables name 60 where they mean it, for agreements and subscription payments',
    shownBy: ['test/unit/wallets/v10/subscriptions.test.ts', 'the service takes'],
  },
  {
    about: '`external_id` of a one-off payment',
    documents:
      '30 characters inside an agreement and in "Limits"; 64 on an existing agreement, 30 recommended (all document 1)',
    followed: 'each its own table: 30 and 64',
    why: '"Limits" does not say which of the two it means',
    shownBy: ['test/unit/wallets/v10/subscriptions.test.ts', 'the service refuses'],
  },
  {
    about: 'Names inside an attachment',
    documents:
      'those that are written (document 1, "Payment attachment"); the service reads out others, such as `discount` for `price_discount`',
    followed: 'one set for writing, one for reading',
    why: 'amounts under a name that is not known would arrive in major units',
    shownBy: [
      'test/unit/wallets/v10/subscription-attachments.test.ts',
      'reads under other names than it was put under, with whose payment point it is; amounts are converted',
    ],
  },
  {
    about: 'Detail rules of attachments',
    documents:
      'defined for an invoice object that was removed on 2023-02-02 (document 1, "Detail rules")',
    followed: 'them, for attachments',
    why: 'nothing has replaced them, and the fields are the same',
    shownBy: ['test/unit/wallets/v10/subscriptions.test.ts', 'the service refuses'],
  },
  {
    about: 'Ports of callback addresses',
    documents:
      '80 and 443 for subscriptions (document 1, "Authentication"); nothing for invoices (document 3) or webhooks (document 4, section 4)',
    followed: 'the rule for subscriptions and invoices alike; none for webhooks',
    why: 'subscriptions and invoices call back in the same way, webhooks in another; an address where nothing arrives helps nobody',
    shownBy: [
      'test/unit/wallets/v10/subscriptions.test.ts',
      'is not sent, because the service would take it and deliver nothing there',
    ],
  },
  {
    about: 'Refusals of subscription refunds',
    documents:
      '500 alone (document 1, "Endpoints", rows 21 and 22); bodies with `errorText` for 400, 412 and 500 (document 4, section 3.4)',
    followed: 'document 4, and 404 without a body',
    why: 'a request that cannot be read has to be answered somehow',
    shownBy: [
      'test/unit/sandbox/simulator/subscriptions-declarations.test.ts',
      'knows nothing of what is not there, or is another merchant’s: 404 without a body',
    ],
  },
  {
    about: 'Refusals of the point of sale’s sandbox',
    documents: '401 and 500 (document 4, section 1.1); not stated (document 2)',
    followed: 'the simulator also answers 400, and 409 where there is nothing to do this to',
    why: 'a test that simulates nothing must not look as if it had',
    shownBy: ['test/unit/sandbox/simulator/declarations.test.ts', 'each refusal that is declared'],
  },
  {
    about: 'An accepted agreement in callbacks',
    documents: '`Active` (document 1, "Agreement"); `Accepted` (document 4, section 3.3)',
    followed: 'both are read; the simulator sends `Active`',
    why: 'the table of document 1 has the other fields of that callback too',
    shownBy: [
      'test/unit/sandbox/simulator/subscription-agreements.test.ts',
      'is pending until the user accepts it, and then told at the success-callback',
    ],
  },
  {
    about: 'A refund that is declined',
    documents: '`Decline` in one row, `Declined` in the others (document 1, "Refund")',
    followed: 'both are read; the simulator sends `Declined`',
    why: 'a slip of the pen',
    shownBy: [
      'test/unit/sandbox/simulator/subscription-refunds.test.ts',
      'that cannot be is declined with %i',
    ],
  },
  {
    about: 'A pending payment of an agreement that the user cancels',
    documents: 'Declined, and "new status listed as Rejected" (document 1, code 50005)',
    followed: 'the callback says Declined, a read says Rejected',
    why: 'each is said of something else',
    shownBy: [
      'test/unit/sandbox/simulator/subscription-payments.test.ts',
      'of an agreement that the user cancels',
    ],
  },
  {
    about: 'Updating an agreement',
    documents: 'two paths (document 1, "Endpoints", row 9); another one (document 4, section 3.1)',
    followed: 'document 4',
    why: 'it explains the other two as slips in release notes',
    shownBy: [
      'test/unit/sandbox/simulator/subscription-agreements.test.ts',
      'changes where it is patched, as long as it is alive',
    ],
  },
  {
    about: 'Names in the answer to `getInvoiceStatus`',
    documents:
      '`InvoiceId` and `Status` in its example, `invoiceId` and `status` in its description; the case of a status varies (document 4, section 6)',
    followed: 'either is read; the simulator answers as in the example',
    why: 'callbacks are spelled as the example is',
    shownBy: ['test/unit/wallets/v10/invoice.test.ts', 'can be asked for'],
  },
  {
    about: 'What is not found at the point of sale',
    documents:
      '400, 403, 409 and 500 (document 2); 404 for what a path names, 409 for what a body names (document 4, section 1.10)',
    followed: 'document 4',
    why: 'it is the more precise one',
    shownBy: ['test/unit/sandbox/simulator/declarations.test.ts', 'each refusal that is declared'],
  },
  {
    about: 'Status of an act that the state does not allow',
    documents:
      '400, 404 and 500, or 412 (document 1, "Endpoints", rows 9, 10, 14, 15, 19 and 23); 409 on most operations (document 4, section 3.1)',
    followed:
      'document 1: 412 for cancelling an agreement and for deciding on it in the sandbox, 400 for the other rows; 409 where document 1 lists no status',
    why: 'a status that a document lists for the very operation; the client takes any other as a refusal too',
    shownBy: [
      'test/unit/sandbox/simulator/subscriptions-declarations.test.ts',
      'a state that does not allow it is refused with a status that document 1 lists: %s',
    ],
  },
  {
    about: 'Link in the answer to `requestOneOff`',
    documents:
      '`service-pay` is only in the answer to a new agreement (document 1, "Link object"); the user accepts a one-off payment in the app (document 1, "One-off payment")',
    followed: 'the answer has the link, too; it has none where the payment is reserved already',
    why: 'the merchant has to send the user somewhere, and no other way is named',
    shownBy: [
      'test/unit/sandbox/simulator/subscription-links.test.ts',
      'lead the user back to its own page, from the app’s landing page too',
    ],
  },
  {
    about: 'Links of an agreement that are required',
    documents:
      '`links` is required, without saying which (document 1, "Agreement"); rule 2 there calls or redirects to three of them',
    followed: 'all three are demanded, by the client and by the simulator',
    why: 'without one of them a decision would reach nobody',
    shownBy: ['test/unit/wallets/v10/subscriptions.test.ts', 'the service refuses'],
  },
  {
    about: 'Effect of the links of a one-off payment',
    documents:
      'a list of links, without a word what they do (document 1, "One-off payment request"); the meaning of each `rel` (document 1, "Agreement", rules 2 and 3)',
    followed:
      'as in an agreement: user-redirect leads, the callbacks get the events of this payment beside the provider’s address, cancel-redirect takes the rejection',
    why: 'a link that is taken and has no effect is a trap; the provider’s address is called as before',
    shownBy: [
      'test/unit/sandbox/simulator/subscription-links.test.ts',
      'are called when it is %s, beside the provider’s address',
    ],
  },
  {
    about: 'Details inside a one-off payment',
    documents:
      'an "invoice-style detail object" can be placed in it, without its name (document 1, "Endpoints"); such an object was removed on 2023-02-02 (document 1, "Versioning")',
    followed:
      'kept as the attachment under `attachment_details`, its only documented name; an object of any other name is refused',
    why: 'details that are dropped in silence would be missed by the customer',
    shownBy: [
      'test/unit/sandbox/simulator/subscription-links.test.ts',
      'details inside a one-off payment',
    ],
  },
  {
    about: 'Details inside a subscription payment request',
    documents:
      'an invoice object inside it was removed on 2023-02-02 (document 1, "Versioning"), without a word what becomes of one',
    followed:
      'a payment with an object inside is refused, by the client and in `rejected_payments`',
    why: 'details that are dropped in silence would be missed by the customer',
    shownBy: [
      'test/unit/sandbox/simulator/subscription-payments.test.ts',
      'whose fields are bad does not stop the others of its batch',
    ],
  },
  {
    about: 'What is not found in subscriptions',
    documents:
      '404 for two operations (document 1, "Errors"); 404 without a body (document 4, section 3.4)',
    followed: '404 without a body wherever a path names what is not there',
    why: 'a status for the other operations would have to be invented',
    shownBy: [
      'test/unit/sandbox/simulator/subscriptions-declarations.test.ts',
      'knows nothing of what is not there, or is another merchant’s: 404 without a body',
    ],
  },
  {
    about: 'Highest amount of a one-off payment',
    documents:
      '2147483647 (document 1, "One-off payment request"); 300000 in DK and 2000 in FI for a payment (document 1, "Limits")',
    followed: 'the client stops at the first; the simulator refuses (400) above the second',
    why: 'only the service knows the currency of an agreement; a limit that holds for all payments holds for these',
    shownBy: [
      'test/unit/sandbox/simulator/subscription-links.test.ts',
      'of a merchant in %s bounds one-off payments, alone and in an agreement',
    ],
  },
  {
    about: 'Text of code 50012',
    documents:
      '"no more than 32 days" (document 1, "Subscription payment"); 126 days (document 4, section 3.3)',
    followed: 'the number of days that the profile has',
    why: 'a text that names another limit than the one that was applied misleads',
    shownBy: [
      'test/unit/sandbox/simulator/subscription-payments.test.ts',
      'Due date must be no more than 126 days in the future.',
    ],
  },
  {
    about: 'Paths of an update by JSON Patch',
    documents:
      '`amount` without a slash (document 1, "Endpoints", rows 2, 9 and 14); `/cancel-redirect` with one (document 1, "Agreement", rule 3)',
    followed: 'with a slash; without one they are refused',
    why: 'RFC 6902 has it, and so has the only example',
    shownBy: ['test/unit/wallets/v10/subscriptions.test.ts', "replace('amount', 1)"],
  },
  {
    about: 'Filters of `listPayments`',
    documents:
      '`posId` and `orderId` may be null (document 2); 400 where a filter is not specific enough (document 4, section 1.1)',
    followed: 'one of the two is demanded; the client sends what it is given',
    why: 'document 4 has a code for it (1109), which the client must know',
    shownBy: [
      'test/unit/sandbox/simulator/simulator.test.ts',
      'lists: what is active or reserved at a point of sale, the latest of an order, what is captured',
    ],
  },
  {
    about: 'Filters of `listPointsOfSale`',
    documents:
      'three filters that combine (document 2); 400 where a filter is not specific enough (document 4, section 1.1)',
    followed: 'one of the three is demanded',
    why: 'document 4 has a code for it (1121)',
    shownBy: ['test/unit/sandbox/simulator/simulator.test.ts', 'a list needs a filter'],
  },
  {
    about: 'Filters of `listStores` and `listStoreIds`',
    documents:
      'two filters (document 2); seen to work with both or with none (document 4, section 1.1)',
    followed: 'both or none',
    why: 'document 4 has a code for it (1122), and saw these two',
    shownBy: [
      'test/unit/sandbox/simulator/simulator.test.ts',
      'are listed by merchant, or by brand and location together',
    ],
  },
  {
    about: 'Filter of `listRefunds`',
    documents:
      '`paymentId` may be null (document 2); 400 where a filter is not specific enough (document 4, section 1.1)',
    followed: 'it is demanded',
    why: 'document 4 has a code for it (1110)',
    shownBy: ['test/unit/sandbox/simulator/declarations.test.ts', 'listRefunds 1110'],
  },
  {
    about: 'Payments of one order id',
    documents:
      'the active and reserved ones, or the captured ones (document 2); the latest payment only (document 4, section 1.1)',
    followed: 'the latest one of those for which the list is asked',
    why: 'a captured payment must be found behind a later one that was cancelled',
    shownBy: [
      'test/unit/sandbox/simulator/rules.test.ts',
      'a captured payment is found by its order id, also behind one that was cancelled or is open',
    ],
  },
  {
    about: '`paymentId` of a transaction',
    documents:
      'in the record of every transaction (document 3, "Reporting records"); null except for app payments (document 4, section 5)',
    followed: 'document 4; the client reads it wherever it stands',
    why: 'it is the more precise one',
    shownBy: [
      'test/unit/sandbox/simulator/reported-facts.test.ts',
      'an app payment and its refund are reported with their ids, whatever else is reported without',
    ],
  },
  {
    about: '`refundId` of a transaction',
    documents:
      'in the record of every transaction (document 3, "Reporting records"); null except for app payments (document 4, section 5)',
    followed: 'document 4: the refunds of app payments have one, beside the `paymentId`',
    why: 'it is the more precise one',
    shownBy: [
      'test/unit/sandbox/simulator/reported-facts.test.ts',
      'an app payment and its refund are reported with their ids, whatever else is reported without',
    ],
  },
  {
    about: '`userName`, `userPhoneNumber` and `myShopNumber` of a transaction',
    documents:
      'in the record of every transaction (document 3, "Reporting records"); a MyShop number for that product only (document 4, section 5)',
    followed: 'those of MyShop alone have them; the number is half masked',
    why: 'names and numbers of customers are not told where a shop did not have them',
    shownBy: [
      'test/unit/sandbox/simulator/reported-facts.test.ts',
      'a payment at a MyShop number is reported with the payer and the number',
    ],
  },
  {
    about: 'Correlation id',
    documents:
      'a string (document 1, "What the service does"); a UUID (document 3, "What the service does")',
    followed: 'each for its own interface: any text for subscriptions, a UUID elsewhere',
    why: 'what a document allows must reach the service',
    shownBy: [
      'test/unit/sandbox/simulator/subscription-links.test.ts',
      'of subscriptions is any text, which refusals and the log of requests name',
    ],
  },
  {
    about: 'Time zone of what happens at a time of the day',
    documents:
      '10:00 in Denmark and 11:00 in Finland for SMS (document 1, "Limits"); no zone for 02:00, 03:15, 08:30 and 23:59 (document 1, "Subscription payment request")',
    followed: 'SMS by the local time with summer time, everything else by UTC',
    why: 'a country is named for the first, and the documents write all other times in UTC',
    shownBy: [
      'test/unit/sandbox/simulator/subscription-notifications.test.ts',
      'follows the local time: %s',
    ],
  },
  {
    about: '`notifications_on` without `disable_notification_management`',
    documents:
      'a setting of the merchant (document 1, "Agreement"); a setting of the user’s decision (document 1, "Endpoints", row 23)',
    followed:
      'the user’s choice holds where the agreement allows one, else that of the merchant; on without either',
    why: 'the user decides last; another choice than the agreement has is refused (412) where it allows none',
    shownBy: [
      'test/unit/sandbox/simulator/subscription-notifications.test.ts',
      'are on unless the merchant says otherwise, and the user’s choice at sign-up counts',
    ],
  },
  {
    about: 'Limit of an app payment',
    documents:
      'its maximum is set by the user’s limits (document 3, "App payment"), whom the service does not know before the approval',
    followed: 'a higher amount is taken, and not reserved when the user approves it',
    why: 'the number that a merchant gives may be another person’s',
    shownBy: [
      'test/unit/sandbox/simulator/app-payment-customers.test.ts',
      '%s bounds the amount of an app payment',
    ],
  },
];
