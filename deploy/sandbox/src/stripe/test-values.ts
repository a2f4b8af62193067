/** How a test card behaves. `fails_when_charged` can be saved, the other refusals cannot even be attached. */
export type CardBehaviour =
  | "asks_for_authentication"
  | "declined"
  | "expired"
  | "fails_when_charged"
  | "insufficient_funds"
  | "pays";

/** How a test bank account behaves once it is debited; `deposits_fail` never gets that far. */
export type BankBehaviour =
  | "account_closed"
  | "debit_not_authorized"
  | "deposits_fail"
  | "disputes"
  | "never_answers"
  | "no_account"
  | "pays"
  | "short_of_money";

interface TestCard {
  token: string;
  number: string;
  brand: string;
  behaviour: CardBehaviour;
}

interface TestBank {
  token: string;
  account_number: string;
  behaviour: BankBehaviour;
}

const cards: TestCard[] = [
  { token: "pm_card_visa", number: "4242424242424242", brand: "visa", behaviour: "pays" },
  { token: "pm_card_mastercard", number: "5555555555554444", brand: "mastercard", behaviour: "pays" },
  { token: "pm_card_chargeDeclined", number: "4000000000000002", brand: "visa", behaviour: "declined" },
  {
    token: "pm_card_chargeDeclinedInsufficientFunds",
    number: "4000000000009995",
    brand: "visa",
    behaviour: "insufficient_funds",
  },
  {
    token: "pm_card_chargeDeclinedExpiredCard",
    number: "4000000000000069",
    brand: "visa",
    behaviour: "expired",
  },
  {
    token: "pm_card_chargeCustomerFail",
    number: "4000000000000341",
    brand: "visa",
    behaviour: "fails_when_charged",
  },
  {
    token: "pm_card_authenticationRequired",
    number: "4000002760003184",
    brand: "visa",
    behaviour: "asks_for_authentication",
  },
];

const banks: TestBank[] = [
  { token: "pm_usBankAccount_success", account_number: "000123456789", behaviour: "pays" },
  { token: "pm_usBankAccount_accountClosed", account_number: "000111111113", behaviour: "account_closed" },
  { token: "pm_usBankAccount_noAccount", account_number: "000111111116", behaviour: "no_account" },
  {
    token: "pm_usBankAccount_insufficientFunds",
    account_number: "000222222227",
    behaviour: "short_of_money",
  },
  {
    token: "pm_usBankAccount_debitNotAuthorized",
    account_number: "000333333335",
    behaviour: "debit_not_authorized",
  },
  { token: "pm_usBankAccount_failMicrodeposits", account_number: "000666666661", behaviour: "deposits_fail" },
  { token: "pm_usBankAccount_dispute", account_number: "000555555559", behaviour: "disputes" },
  { token: "pm_usBankAccount_processing", account_number: "000000000009", behaviour: "never_answers" },
];

/** The one routing number of Stripe's test bank. */
export const TEST_ROUTING_NUMBER = "110000000";

/** The card behind a `pm_card_…` name or a test number. */
export function testCard(by: { token?: string; number?: string }): TestCard | undefined {
  return cards.find(({ token, number }) => token === by.token || number === by.number);
}

/** The account behind a `pm_usBankAccount_…` name or a test account number. */
export function testBank(by: { token?: string; account_number?: string }): TestBank | undefined {
  return banks.find(
    ({ token, account_number }) => token === by.token || account_number === by.account_number,
  );
}

/** What the sandbox finds when somebody claims to have seen the two small deposits, or their descriptor code. */
export function judgeDeposits(seen: { amounts: [number, number] } | { descriptor_code: string }) {
  const is = (a: number, b: number, code: string) =>
    "amounts" in seen
      ? [...seen.amounts].sort((x, y) => x - y).join() === [a, b].join()
      : seen.descriptor_code.toUpperCase() === code;
  if (is(32, 45, "SM11AA")) return "verified";
  if (is(10, 11, "SM33CC")) return "attempts_exceeded";
  if (is(40, 41, "SM44DD")) return "timeout";
  return "mismatch";
}
