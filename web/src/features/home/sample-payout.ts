type Sale = { when: string; what: string; formula: string; earned: string };

/** The month shown on the home page, in dollars to the ten-thousandth. It is made up, and it adds up: a test says so. */
export const samplePayout = {
  sales: [
    { when: "18 Sep", what: "Gooseneck kettle", formula: "$64.00 × 25%", earned: "16.0000" },
    { when: "21 Sep", what: "Burr coffee grinder", formula: "$89.00 × 20%", earned: "17.8000" },
    { when: "24 Sep", what: "Glass server", formula: "$28.50 × 15%", earned: "4.2750" },
    { when: "26 Sep", what: "Timer scale", formula: "$34.95 × 15%", earned: "5.2425" },
    { when: "29 Sep", what: "Glass server, returned", formula: "−$28.50 × 15%", earned: "−4.2750" },
  ] satisfies Sale[],
  sum: "39.0425",
  rounding: "−0.0025",
  unexplained: "0.0000",
  paid: "$39.04",
} as const;

/** The sale whose way to the payout is drawn in copper. */
export const traced = samplePayout.sales[1];
