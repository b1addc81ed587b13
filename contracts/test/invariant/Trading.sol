// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Lots} from "../../src/ValueTypes.sol";
import {IBook, OrderRequest, TimeInForce} from "../../src/interfaces/IBook.sol";
import {BookChecks} from "./BookChecks.sol";
import {Keys} from "./Keys.sol";

/// Places and cancels orders as wallets and keys. A rejection by the engine must have a reason that
/// applies; a call that it must never reject has to succeed.
abstract contract Trading is Keys, BookChecks {
    /// Maximum gas of an action at one engine, for any book size.
    struct GasBounds {
        uint256 place;
        uint256 step; // of the matching loop
        uint256 cancel;
    }

    GasBounds internal _gasBounds;
    uint256 public placements;

    /* PLACING */

    function place(uint256 seed) external seeded(seed) {
        Actor memory actor = _anyActor();
        address sender = _senderOf(actor);
        if (sender == address(0)) return;
        OrderRequest memory request = _request(actor.account);
        _remember(actor.account, request.market);
        uint256 extra = _gasOfOthers(request.market);
        vm.prank(sender);
        uint256 gas = gasleft();
        try engine.place(request) returns (uint40 order) {
            gas -= gasleft();
            placements += 1;
            vm.assertEq(order, ordersLogged[request.market] + 1, "an order gets the next number");
            uint256 steps = _replay();
            // Gas is bounded by the steps of the matching loop, and those by what the order allows.
            vm.assertLe(
                gas,
                extra + _gasBounds.place + steps * _gasBounds.step,
                "gas of an order is bounded by its steps"
            );
            _checkSteps(request, steps);
            _expectPlaced(actor.account, request, order);
        } catch (bytes memory reason) {
            _forget();
            _expectRefused(request, bytes4(reason));
        }
    }

    /// The remainder of an order is cancelled as well, which does not count as a step.
    function _checkSteps(OrderRequest memory request, uint256 steps) private pure {
        uint256 most = request.maxFills == 0 || request.maxFills > 100 ? 100 : request.maxFills;
        // A maker that is filled in part and then dropped is one step with two logs. Besides, 101
        // that cannot trade are dropped.
        vm.assertLe(steps, 2 * most + 101 + 1, "an order takes no more steps than it allows");
    }

    /// An order that may rest lives for 5 seconds at least.
    function _isTooEarly(OrderRequest memory request) internal view returns (bool) {
        bool rests =
            request.timeInForce == TimeInForce.GTC || request.timeInForce == TimeInForce.POST_ONLY;
        return request.goodTil != 0 && request.goodTil < block.timestamp + (rests ? 5 : 0);
    }

    /// Several orders and a cancel in one call, of which all succeed or none does.
    function several(uint256 seed) external seeded(seed) {
        Actor memory actor = _anyWallet();
        bytes[] memory calls = new bytes[](_between(1, 4));
        for (uint256 i = 0; i < calls.length; i++) {
            uint32 market = _anyMarket();
            calls[i] = _oneIn(3)
                ? abi.encodeCall(IBook.cancelAll, (market, _liveOf(market, actor.account)))
                : abi.encodeCall(IBook.place, (_request(actor.account)));
        }
        (uint40 first, uint40 second) = (engine.stateOf(1).nextOrder, engine.stateOf(2).nextOrder);
        vm.prank(actor.wallet);
        try engine.multicall(calls) returns (bytes[] memory results) {
            vm.assertEq(results.length, calls.length, "a result for each call");
            _replay();
            seen["several at once"] += 1;
        } catch {
            _forget();
            vm.assertEq(
                engine.stateOf(1).nextOrder, first, "nothing is left of a batch that reverts"
            );
            vm.assertEq(
                engine.stateOf(2).nextOrder, second, "nothing is left of a batch that reverts"
            );
        }
    }

    /* TAKING OFF THE BOOK */

    /// A cancel succeeds in every state, halted or stale.
    function cancel(uint256 seed) external seeded(seed) {
        (uint32 market, uint40 order) = _anyLive();
        if (order != 0) _cancelOne(market, order);
    }

    function _cancelOne(uint32 market, uint40 order) internal {
        address sender = _senderOf(_actors[_logged[market][order].account - 1]);
        if (sender == address(0)) return; // a sub-account whose keys are all dead
        vm.prank(sender);
        uint256 gas = gasleft();
        engine.cancel(market, order);
        gas -= gasleft();
        vm.assertEq(_replay(), 1, "a cancel takes one order off the book");
        vm.assertEq(
            Lots.unwrap(engine.orderAt(market, order).lots), 0, "a cancelled order is off the book"
        );
        // The gas of a cancel does not depend on the book.
        vm.assertLe(gas, _gasBounds.cancel, "gas of a cancel is bounded");
        seen["cancelled"] += 1;
    }

    /// A list of cancels succeeds too, whosever the orders are and whether or not they rest.
    function cancelAll(uint256 seed) external seeded(seed) {
        uint32 market = _anyMarket();
        Actor memory actor = _anyWallet();
        uint40[] memory orders = _anyOrders(market, 6);
        vm.prank(actor.wallet);
        uint256 cancelled = engine.cancelAll(market, orders);
        vm.assertEq(_replay(), cancelled, "cancelAll counts what it cancels");
        for (uint256 i = 0; i < orders.length; i++) {
            if (_logged[market][orders[i]].account != actor.account) continue;
            vm.assertEq(restingLots(market, orders[i]), 0, "cancelAll leaves none that it names");
        }
    }

    function reduce(uint256 seed) external seeded(seed) {
        (uint32 market, uint40 order) = _anyLive();
        if (order == 0 || restingLots(market, order) < 2) return;
        address sender = _senderOf(_actors[_logged[market][order].account - 1]);
        if (sender == address(0)) return;
        uint64 before = restingLots(market, order);
        uint64 lots = uint64(_between(1, before - 1));
        vm.prank(sender);
        engine.reduce(market, order, lots);
        _replay();
        uint64 left = restingLots(market, order);
        if (left != 0) vm.assertEq(left, before - lots, "a reduced order has that much less");
        seen[left == 0 ? "reduced to nothing" : "reduced"] += 1;
    }

    function sweep(uint256 seed) external seeded(seed) {
        uint32 market = _anyMarket();
        uint40[] memory orders = _anyOrders(market, 20);
        engine.sweep(market, orders);
        if (_replay() != 0) seen["swept"] += 1;
        for (uint256 i = 0; i < orders.length; i++) {
            bool expired = _logged[market][orders[i]].goodTil != 0
                && _logged[market][orders[i]].goodTil < block.timestamp;
            if (expired) {
                vm.assertEq(
                    restingLots(market, orders[i]), 0, "a swept order that has expired is gone"
                );
            }
        }
    }

    /* CHOOSING */

    function _anyMarket() internal returns (uint32) {
        return uint32(1 + _roll(MARKETS));
    }

    /// An order that rests, or 0.
    function _anyLive() internal returns (uint32 market, uint40 order) {
        market = _anyMarket();
        uint40[] storage live = _live[market];
        if (live.length != 0) order = live[_roll(live.length)];
    }

    /// Orders that mostly rest, numbers that never did, and repetitions.
    function _anyOrders(uint32 market, uint256 most) internal returns (uint40[] memory orders) {
        orders = new uint40[](_roll(most + 1));
        uint40[] storage live = _live[market];
        for (uint256 i = 0; i < orders.length; i++) {
            bool any = live.length == 0 || _oneIn(4);
            orders[i] = any ? uint40(_roll(ordersLogged[market] + 3)) : live[_roll(live.length)];
        }
    }

    /// All orders of `account` that rest in `market`.
    function _liveOf(uint32 market, uint40 account)
        internal
        view
        returns (uint40[] memory orders)
    {
        uint40[] storage live = _live[market];
        uint256 count;
        for (uint256 i = 0; i < live.length; i++) {
            if (_logged[market][live[i]].account == account) count += 1;
        }
        orders = new uint40[](count);
        for (uint256 i = live.length; count != 0; i--) {
            if (_logged[market][live[i - 1]].account == account) orders[--count] = live[i - 1];
        }
    }

    /* WHAT AN ENGINE ADDS */

    /// An order that an account might want.
    function _request(uint40 account) internal virtual returns (OrderRequest memory);

    /// Records the values that checks after a placement compare with.
    function _remember(uint40 account, uint32 market) internal virtual;

    /// The most gas that the next placement may spend on work that is not its own.
    function _gasOfOthers(uint32 market) internal view virtual returns (uint256);

    function _expectPlaced(uint40 account, OrderRequest memory request, uint40 order)
        internal
        virtual;

    /// `rule` is the selector of the error.
    function _expectRefused(OrderRequest memory request, bytes4 rule) internal virtual;
}
