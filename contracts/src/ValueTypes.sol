// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/*
Types of the numbers of a book, so that one cannot be passed for another. Each is its integer in
storage and in the ABI. Members of structs and functions within the engines have these types; a
parameter of an external function, an event or an error is the plain integer.

An operator computes as the integer does in checked code, also within an unchecked block.
*/

/// A price in price steps.
type Tick is uint24;

using {
    equalTicks as ==,
    otherTicks as !=,
    lowerTick as <,
    lowerOrEqualTick as <=,
    higherTick as >,
    higherOrEqualTick as >=
} for Tick global;

function equalTicks(Tick a, Tick b) pure returns (bool) {
    return Tick.unwrap(a) == Tick.unwrap(b);
}

function otherTicks(Tick a, Tick b) pure returns (bool) {
    return Tick.unwrap(a) != Tick.unwrap(b);
}

function lowerTick(Tick a, Tick b) pure returns (bool) {
    return Tick.unwrap(a) < Tick.unwrap(b);
}

function lowerOrEqualTick(Tick a, Tick b) pure returns (bool) {
    return Tick.unwrap(a) <= Tick.unwrap(b);
}

function higherTick(Tick a, Tick b) pure returns (bool) {
    return Tick.unwrap(a) > Tick.unwrap(b);
}

function higherOrEqualTick(Tick a, Tick b) pure returns (bool) {
    return Tick.unwrap(a) >= Tick.unwrap(b);
}

/// An amount of base in amount steps: of an order, of a fill, or of a part of a position.
type Lots is uint64;

Lots constant NO_LOTS = Lots.wrap(0);

using {
    addLots as +,
    subtractLots as -,
    equalLots as ==,
    otherLots as !=,
    fewerLots as <,
    fewerOrEqualLots as <=,
    moreLots as >
} for Lots global;

function addLots(Lots a, Lots b) pure returns (Lots) {
    return Lots.wrap(Lots.unwrap(a) + Lots.unwrap(b));
}

function subtractLots(Lots a, Lots b) pure returns (Lots) {
    return Lots.wrap(Lots.unwrap(a) - Lots.unwrap(b));
}

function equalLots(Lots a, Lots b) pure returns (bool) {
    return Lots.unwrap(a) == Lots.unwrap(b);
}

function otherLots(Lots a, Lots b) pure returns (bool) {
    return Lots.unwrap(a) != Lots.unwrap(b);
}

function fewerLots(Lots a, Lots b) pure returns (bool) {
    return Lots.unwrap(a) < Lots.unwrap(b);
}

function fewerOrEqualLots(Lots a, Lots b) pure returns (bool) {
    return Lots.unwrap(a) <= Lots.unwrap(b);
}

function moreLots(Lots a, Lots b) pure returns (bool) {
    return Lots.unwrap(a) > Lots.unwrap(b);
}

/// The number of an account: of a wallet or a sub-account, as Accounts.sol gives them.
type AccountId is uint40;

AccountId constant NO_ACCOUNT = AccountId.wrap(0);

using {equalAccounts as ==, otherAccounts as !=} for AccountId global;

function equalAccounts(AccountId a, AccountId b) pure returns (bool) {
    return AccountId.unwrap(a) == AccountId.unwrap(b);
}

function otherAccounts(AccountId a, AccountId b) pure returns (bool) {
    return AccountId.unwrap(a) != AccountId.unwrap(b);
}
