// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../../src/Accounts.sol";
import {Book} from "../../../src/Book.sol";
import {Spot} from "../../../src/Spot.sol";
import {DevToken} from "../../../src/dev/DevToken.sol";
import {Test} from "../../Vm.sol";
import {SpotHandler} from "./SpotHandler.sol";

/// After every random call, storage agrees with itself, with the tokens and with the logs.
contract SpotInvariantsTest is Test {
    using Book for Book.Order;

    address private constant OWNER = address(0xA11);
    uint24 private constant NONE_BELOW = 0;
    uint24 private constant NONE_ABOVE = type(uint24).max;

    Spot private spot;
    SpotHandler private handler;
    DevToken[3] private _tokens;

    function setUp() external {
        vm.warp(1_750_000_000);
        Accounts accounts = Accounts(
            vm.deployCode("out/Accounts.sol/Accounts.json", abi.encode(address(0x1), address(0x2), "openvenue"))
        );
        spot = Spot(vm.deployCode("out/Spot.sol/Spot.json", abi.encode(accounts, OWNER)));
        _tokens = [new DevToken("US", "USDC", 6), new DevToken("Ether", "ETH", 18), new DevToken("Euro", "EURC", 6)];
        address usdc = address(_tokens[0]);
        vm.startPrank(OWNER);
        spot.list("ETH-USDC", address(_tokens[1]), usdc, 1e4, 1e14, 1e6, 1e12);
        spot.list("EURC-USDC", address(_tokens[2]), usdc, 1e2, 1e5, 1e3, 1e12);
        vm.stopPrank();
        handler = new SpotHandler(accounts, spot, OWNER, _tokens);
        handler.start();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    struct Selectors {
        address target;
        bytes4[] selectors;
    }

    /// Placing is listed several times: books must grow faster than they are emptied.
    function targetSelectors() external view returns (Selectors[] memory targets) {
        bytes4[10] memory others = [
            handler.cancel.selector,
            handler.cancelAll.selector,
            handler.reduce.selector,
            handler.sweep.selector,
            handler.deposit.selector,
            handler.withdraw.selector,
            handler.transfer.selector,
            handler.wait_.selector,
            handler.halt.selector,
            handler.place.selector
        ];
        targets = new Selectors[](1);
        targets[0].target = address(handler);
        targets[0].selectors = new bytes4[](24);
        for (uint256 i = 0; i < 24; i++) {
            targets[0].selectors[i] = i < others.length ? others[i] : handler.place.selector;
        }
    }

    /// One function, so that one campaign serves all the rules.
    function invariant_storage_agrees_with_itself_the_tokens_and_the_logs() external view {
        _checkCustody();
        _checkBalances();
        _checkOrders();
        _checkBook(1);
        _checkBook(2);
    }

    /* CUSTODY */

    function _checkCustody() private view {
        for (uint256 i = 0; i < 3; i++) {
            address token = address(_tokens[i]);
            uint256 sum = _escrow(1, 0, token) + _escrow(2, 0, token);
            for (uint40 account = 1; account < handler.accountsEnd(); account++) {
                sum += spot.balanceOf(account, token);
            }
            vm.assertEq(sum, _tokens[i].balanceOf(address(spot)), "sum of balances and escrow != tokens held");
        }
    }

    /// The logs alone give every balance.
    function _checkBalances() private view {
        for (uint256 i = 0; i < 3; i++) {
            address token = address(_tokens[i]);
            for (uint40 account = 1; account < handler.accountsEnd(); account++) {
                uint256 escrow = _escrow(1, account, token) + _escrow(2, account, token);
                vm.assertEq(
                    spot.balanceOf(account, token) + escrow, handler.owned(account, token), "balance != logs replayed"
                );
            }
        }
    }

    /// What the resting orders of `account` (0: of all) hold of `token`.
    function _escrow(uint32 market, uint40 account, address token) private view returns (uint256 sum) {
        (address base, address quote) = spot.tokensOf(market);
        uint40 end = spot.stateOf(market).nextOrder;
        for (uint40 id = 1; id < end; id++) {
            Book.Order memory order = spot.orderAt(market, id);
            if (account != 0 && order.account != account) continue;
            if ((order.isBuy() ? quote : base) == token) sum += _held(market, order);
        }
    }

    function _held(uint32 market, Book.Order memory order) private view returns (uint256) {
        Book.Units memory units = spot.unitsOf(market);
        uint256 perLot = order.isBuy() ? uint256(order.tick) * units.quotePerLotTick : units.amountStep;
        return order.lots * perLot;
    }

    /* THE BOOK */

    function _checkBook(uint32 market) private view {
        Book.State memory state = spot.stateOf(market);
        vm.assertLt(state.bestBid, state.bestAsk, "best bid >= best ask");
        (uint24 bestBid, uint24 bestAsk) = (NONE_BELOW, NONE_ABOVE);
        uint256 walked;
        uint24 tick = spot.tickAbove(market, NONE_BELOW);
        uint24 last = NONE_BELOW;
        for (; tick != NONE_ABOVE; tick = spot.tickAbove(market, tick)) {
            vm.assertEq(spot.tickBelow(market, tick), last, "tickBelow is not the converse of tickAbove");
            (uint256 count, bool buy) = _checkLevel(market, tick);
            walked += count;
            if (buy) bestBid = tick;
            else if (bestAsk == NONE_ABOVE) bestAsk = tick;
            last = tick;
        }
        vm.assertEq(state.bestBid, bestBid, "cached best bid != highest bid level");
        vm.assertEq(state.bestAsk, bestAsk, "cached best ask != lowest ask level");
        vm.assertEq(walked, _restingCount(market, state.nextOrder), "orders in queues != orders that rest");
    }

    function _checkLevel(uint32 market, uint24 tick) private view returns (uint256 count, bool buy) {
        Book.Level memory level = spot.levelAt(market, tick);
        vm.assertTrue(level.count != 0, "a tick of the set has no orders");
        buy = spot.orderAt(market, level.head).isBuy();
        uint256 lots;
        uint40 before;
        for (uint40 id = level.head;; count++) {
            Book.Order memory order = spot.orderAt(market, id);
            vm.assertTrue(order.lots != 0, "a queue holds an order without lots");
            vm.assertEq(order.tick, tick, "an order stands at another tick's level");
            vm.assertEq(order.isBuy(), buy);
            vm.assertTrue(before == 0 || order.prev == before, "prev is not the order before");
            vm.assertLt(before, id, "order numbers do not rise from head to tail");
            lots += order.lots;
            before = id;
            if (id == level.tail) break;
            id = order.next;
        }
        count += 1;
        vm.assertEq(level.lots, lots, "level lots != sum of its orders");
        vm.assertEq(level.count, count, "level count != length of its queue");
    }

    function _restingCount(uint32 market, uint40 nextOrder) private view returns (uint256 count) {
        for (uint40 id = 1; id < nextOrder; id++) {
            if (spot.orderAt(market, id).lots != 0) count += 1;
        }
    }

    /* ORDERS */

    /// The logs alone give what rests of every order.
    function _checkOrders() private view {
        for (uint32 market = 1; market <= 2; market++) {
            vm.assertEq(spot.stateOf(market).nextOrder, handler.ordersTold(market) + 1, "every order is placed once");
            for (uint40 id = 1; id <= handler.ordersTold(market); id++) {
                vm.assertEq(
                    spot.orderAt(market, id).lots,
                    handler.restingTold(market, id),
                    "resting lots != placed - filled - reduced - cancelled"
                );
            }
        }
    }
}
